import { useTranslation } from 'react-i18next'
import { type Outputs, trpc } from '../app/trpc.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { toast } from '../ui/toast.tsx'
import { ClientForm } from './ClientForm.tsx'

/** Changes the name, logo and URIs of an application. */
export function EditClient({ client, onClose }: { client: Outputs['admin']['clients'][number]; onClose: () => void }) {
  const { t } = useTranslation()
  const update = trpc.admin.updateClient.useMutation({
    onSuccess: () => {
      toast(t('settings.saved'))
      onClose()
    },
  })
  return (
    <Dialog title={t('clients.edit')} onClose={onClose}>
      <ClientForm
        client={client}
        action={t('settings.save')}
        isPending={update.isPending}
        error={update.error}
        onSend={(fields) => update.mutate({ ...fields, clientId: client.id })}
        onClose={onClose}
      />
    </Dialog>
  )
}
