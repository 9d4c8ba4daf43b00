import { Button } from '@mantine/core'
import { useState } from 'react'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { ErrorCard } from '../ui/ErrorCard.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { CardsLoading } from '../ui/PageStates.tsx'
import { Row, Rows, Section } from '../ui/Section.tsx'
import { Tag } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'

/** The administrators of this installation. Only another administrator can revoke the role. */
export function Administrators() {
  const { t } = useTranslation()
  const [current] = trpc.session.get.useSuspenseQuery()
  const { data: administrators, error, refetch } = trpc.admin.administrators.useQuery()
  const [selected, setSelected] = useState<Outputs['admin']['administrators'][number]>()
  const revoke = trpc.admin.setRole.useMutation({
    onSuccess: () => {
      toast(t('admin.revoked', { name: selected?.name ?? '' }))
      setSelected(undefined)
    },
  })
  const heading = { title: t('admin.administrators'), description: t('admin.administratorsDescription') }
  if (!administrators) {
    return (
      <Section {...heading} isBare>
        {error ? <ErrorCard error={error} onTryAgain={() => void refetch()} /> : <CardsLoading />}
      </Section>
    )
  }
  return (
    <Section {...heading} isFlush>
      <Rows>
        {administrators.map((administrator) => (
          <Row
            key={administrator.id}
            name={
              <>
                {administrator.name} {administrator.id === current?.user.id && <Tag>{t('members.you')}</Tag>}
              </>
            }
            detail={administrator.email}
            action={
              administrator.id !== current?.user.id && (
                <Button
                  size="sm"
                  variant="default"
                  aria-label={t('admin.revokeOf', { name: administrator.name })}
                  onClick={() => setSelected(administrator)}
                >
                  {t('admin.revoke')}
                </Button>
              )
            }
          />
        ))}
      </Rows>
      <ErrorMessage error={error} />
      {selected && (
        <Confirm
          title={t('admin.revokeTitle')}
          description={t('admin.revokeDescription', { name: selected.name })}
          action={t('admin.revoke')}
          isPending={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate({ userId: selected.id, role: 'user' })}
          onClose={() => setSelected(undefined)}
        />
      )}
    </Section>
  )
}
