import { Button, NativeSelect } from '@mantine/core'
import { useId, useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { ErrorCard } from '../ui/ErrorCard.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { ChevronIcon } from '../ui/icons.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { CardsLoading } from '../ui/PageStates.tsx'
import { Row, Rows, Section, SectionActions, SettingRow } from '../ui/Section.tsx'
import { Tag } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'
import { useOrganization } from './current-organization.ts'

/** Days until a requirement takes effect. */
const graces = [0, 7, 30]
const hourMs = 3_600_000
/** Number of members shown at first, and maximum. The total is shown as well. */
const steps = [10, 100] as const

/** Whether members need a second factor, since when, and which members have none. */
export function FactorPolicy() {
  const { t } = useTranslation()
  const id = useId()
  const dateFormat = useDateFormat()
  const { organization } = useOrganization()
  const { id: organizationId, secondFactorFrom } = organization
  const [{ isConfirmed }] = trpc.twoFactor.status.useSuspenseQuery()
  const set = trpc.organization.setSecondFactor.useMutation({
    onSuccess: () => toast(t('policy.saved')),
  })
  const day = secondFactorFrom === null ? '' : dateFormat.day(secondFactorFrom)
  // A requirement that has just been set is shown as active, even if clocks differ.
  const [opened] = useState(() => Date.now())
  const isDue = secondFactorFrom !== null && Date.parse(secondFactorFrom) < opened + hourMs
  const current = isDue ? t('policy.since', { day }) : t('policy.from', { day })
  return (
    <Section title={t('policy.title')} description={t('policy.description')} isFlush>
      <SettingRow
        name={t('policy.label')}
        inputId={id}
        description={
          secondFactorFrom === null ? (
            isConfirmed ? undefined : (
              t('policy.own')
            )
          ) : (
            <Tag tone={isDue ? 'good' : 'attention'}>{current}</Tag>
          )
        }
      >
        {isConfirmed || secondFactorFrom !== null ? (
          <NativeSelect
            rightSection={<ChevronIcon />}
            id={id}
            value={secondFactorFrom === null ? 'off' : 'set'}
            disabled={set.isPending}
            onChange={({ currentTarget: { value } }) =>
              set.mutate({ organizationId, graceDays: value === 'off' ? null : Number(value) })
            }
          >
            <option value="off">{t('policy.off')}</option>
            {secondFactorFrom !== null && (
              <option value="set" disabled>
                {current}
              </option>
            )}
            {graces.map((days) => (
              <option key={days} value={days}>
                {days === 0 ? t('policy.now') : t('policy.inDays', { days })}
              </option>
            ))}
          </NativeSelect>
        ) : (
          <ButtonLink to="/settings/security" size="sm" variant="default">
            {t('twoFactor.toSecurity')}
          </ButtonLink>
        )}
      </SettingRow>
      <ErrorMessage error={set.error} />
      <MembersWithoutSecondFactor organizationId={organizationId} />
    </Section>
  )
}

/** Members who have neither a passkey nor an authenticator app. */
function MembersWithoutSecondFactor({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation()
  const [limit, setLimit] = useState<number>(steps[0])
  const list = trpc.organization.membersWithoutSecondFactor.useQuery(
    { organizationId, limit },
    { placeholderData: (before) => before },
  )
  if (list.error && !list.data) return <ErrorCard error={list.error} onTryAgain={() => void list.refetch()} />
  if (!list.data) return <CardsLoading />
  const { members, total } = list.data
  return (
    <>
      <SettingRow
        name={t('policy.without')}
        description={total === 0 ? t('policy.everybody') : t('policy.count', { count: total })}
      />
      <Rows>
        {members.map(({ id, user }) => (
          <Row
            key={id}
            picture={<Avatar id={user.id} name={user.name} image={user.image} />}
            name={user.name}
            detail={user.email}
          />
        ))}
      </Rows>
      {total > members.length && limit === steps[0] && (
        <SectionActions>
          <Button size="sm" variant="default" loading={list.isFetching} onClick={() => setLimit(steps[1])}>
            {t('common.more')}
          </Button>
        </SectionActions>
      )}
    </>
  )
}
