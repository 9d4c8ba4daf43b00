import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ClientForm } from './ClientForm.tsx'
import { ClientSecret } from './ClientSecret.tsx'

/**
 * Creates an application that uses the code flow with PKCE. Clients with other grants are created on the command line.
 */
export function CreateClient({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const create = trpc.admin.createClient.useMutation()
  if (create.data) return <ClientSecret {...create.data} onClose={onClose} />
  return (
    <Dialog title={t('clients.create')} onClose={onClose}>
      <ClientForm
        action={t('clients.create')}
        isPending={create.isPending}
        error={create.error}
        onSend={(fields, isPublic) => create.mutate({ ...fields, isPublic })}
        onClose={onClose}
      />
    </Dialog>
  )
}
