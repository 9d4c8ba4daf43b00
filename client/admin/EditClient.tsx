import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { toast } from '../ui/toast.tsx'
import { type ClientFields, ClientForm } from './ClientForm.tsx'

/** The fields that differ, so that a concurrent change of the others stays. */
function changedFields(client: Client, fields: ClientFields): Partial<ClientFields> {
  const before: Record<string, unknown> = client
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value)),
  )
}

type Client = Outputs['admin']['clients'][number]

/** Changes the name, logo and URIs of an application. */
export function EditClient({ client, onClose }: { client: Client; onClose: () => void }) {
  const { t } = useTranslation()
  const update = trpc.admin.updateClient.useMutation({
    onSuccess: () => {
      toast(t('common.saved'))
      onClose()
    },
  })
  return (
    <Dialog title={t('clients.edit')} onClose={onClose}>
      <ClientForm
        client={client}
        action={t('common.save')}
        isPending={update.isPending}
        error={update.error}
        onSend={(fields) => update.mutate({ ...changedFields(client, fields), clientId: client.id })}
        onClose={onClose}
      />
    </Dialog>
  )
}
