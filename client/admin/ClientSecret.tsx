import { useTranslation } from '../language/translation.ts'
import { SecretDialog } from '../ui/SecretDialog.tsx'

type ClientSecretProps = { id: string; secret: string | null; onClose: () => void }

/** Shows the id of a client and, once only, its secret. */
export function ClientSecret({ id, secret, onClose }: ClientSecretProps) {
  const { t } = useTranslation()
  const isSecret = secret !== null
  return (
    <SecretDialog
      title={t('clients.credentials')}
      description={isSecret ? t('clients.secretOnce') : undefined}
      values={[
        { label: t('clients.id'), value: id },
        ...(isSecret ? [{ label: t('clients.secret'), value: secret }] : []),
      ]}
      copy={isSecret ? t('clients.copySecret') : t('clients.copyId')}
      onClose={onClose}
    />
  )
}
