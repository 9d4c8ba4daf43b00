import { Button, NativeSelect, Pill, PillsInput, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Role } from '../../shared/permissions.ts'
import { trpc } from '../app/trpc.ts'
import { useOrganization } from '../organization/current-organization.ts'
import { RoleChoice } from '../organization/Roles.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { useReason } from '../ui/Form.tsx'
import { ChevronIcon } from '../ui/icons.tsx'
import { toast } from '../ui/toast.tsx'
import { type Address, addressesOf } from './addresses.ts'
import classes from './Invite.module.css'

/** Unsent email addresses, by membership, restored when a dialog that was closed by mistake is opened again. */
const drafts = new Map<string, Address[]>()

/** Invites one or more email addresses. Each gets its own result: refused ones stay in the field with the reason. */
export function Invite({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const reasonOf = useReason()
  const { organization, isOwnedByUser } = useOrganization()
  const { id: organizationId, name, counts, membershipLimit } = organization
  const [addresses, setAddresses] = useState<Address[]>(() => drafts.get(organization.me.id) ?? [])
  useEffect(() => void drafts.set(organization.me.id, addresses), [organization.me.id, addresses])
  const [typed, setTyped] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [teamId, setTeamId] = useState('')
  const [refused, setRefused] = useState<ReadonlyMap<string, unknown>>(new Map())
  const [isSending, setSending] = useState(false)
  const teams = trpc.team.list.useQuery({ organizationId })
  const invite = trpc.invitation.create.useMutation()
  const withTyped = (text: string) => {
    const known = new Set(addresses.map((one) => one.text))
    return [...addresses, ...addressesOf(text).filter((one) => !known.has(one.text))]
  }
  const take = (text: string) => {
    setAddresses(withTyped(text))
    setTyped('')
  }
  const remove = (text: string) => setAddresses(addresses.filter((one) => one.text !== text))
  const send = async () => {
    const all = withTyped(typed)
    take(typed)
    setSending(true)
    const sent: string[] = []
    const failed = new Map<string, unknown>()
    // Sequential, because each is decided under the organization's lock.
    for (const { text: email, isValid } of all) {
      if (!isValid) continue
      try {
        await invite.mutateAsync({ organizationId, email, role, ...(teamId !== '' && { teamId }) })
        sent.push(email)
      } catch (error) {
        failed.set(email, error)
      }
    }
    setSending(false)
    setRefused(failed)
    const left = all.filter((one) => !one.isValid || failed.has(one.text))
    setAddresses(left)
    if (sent.length > 0) toast(t('invite.sent', { email: sent.join(', ') }))
    if (left.length === 0) onClose()
  }
  const invalid = addresses.filter(({ isValid }) => !isValid).map(({ text }) => text)
  const problems = [
    ...(invalid.length > 0 ? [t('invite.notAnEmail', { text: invalid.join(', ') })] : []),
    ...addresses.filter(({ text }) => refused.has(text)).map(({ text }) => `${text}: ${reasonOf(refused.get(text))}`),
  ]
  const left = Math.max(0, membershipLimit - counts.members)
  return (
    <Dialog
      title={t('invite.titleOf', { organization: name })}
      lead={t('invite.dialogLead', { left, max: membershipLimit })}
      size={560}
      isKept={isSending}
      onClose={onClose}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <Stack gap="md">
          <PillsInput
            size="md"
            label={t('invite.addresses')}
            description={t('invite.addressesHint')}
            disabled={isSending}
            classNames={{ input: classes.addresses ?? '' }}
            error={
              problems.length > 0 && (
                <span role="alert" className={classes.problems}>
                  {problems.map((problem) => (
                    <span key={problem}>{problem}</span>
                  ))}
                </span>
              )
            }
          >
            <Pill.Group>
              {addresses.map(({ text, isValid }) => (
                <Pill
                  key={text}
                  withRemoveButton={!isSending}
                  removeButtonProps={{
                    'aria-label': t('invite.removeAddress', { email: text }),
                    tabIndex: 0,
                    'aria-hidden': false,
                  }}
                  className={classes.chip ?? ''}
                  mod={{ bad: !isValid || refused.has(text) }}
                  onRemove={() => remove(text)}
                >
                  {text}
                </Pill>
              ))}
              <PillsInput.Field
                inputMode="email"
                autoComplete="off"
                data-autofocus
                disabled={isSending}
                aria-invalid={problems.length > 0}
                value={typed}
                onChange={(event) => {
                  const { value } = event.currentTarget
                  if (endsAddress(value)) take(value)
                  else setTyped(value)
                }}
                onPaste={(event) => {
                  event.preventDefault()
                  take(typed + event.clipboardData.getData('text'))
                }}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' && typed.trim() !== '') {
                    event.preventDefault()
                    take(typed)
                  }
                  const last = addresses.at(-1)
                  if (event.key === 'Backspace' && typed === '' && last) remove(last.text)
                }}
              />
            </Pill.Group>
          </PillsInput>
          <RoleChoice value={role} onChange={setRole} canAssignOwner={isOwnedByUser} />
          {teams.data && teams.data.length > 0 && (
            <NativeSelect
              label={`${t('members.team')} (${t('invite.optional')})`}
              rightSection={<ChevronIcon />}
              value={teamId}
              onChange={(event) => setTeamId(event.currentTarget.value)}
              data={[
                { value: '', label: t('members.noTeam') },
                ...teams.data.map(({ id, name: team }) => ({ value: id, label: team })),
              ]}
            />
          )}
          <DialogActions isBusy={isSending} onClose={onClose}>
            <Button type="submit" loading={isSending} disabled={addresses.length === 0 && typed.trim() === ''}>
              {t('invite.submit')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Whether the last address is terminated by a separator, outside quotation marks and angle brackets. */
function endsAddress(typed: string): boolean {
  const isOpen = typed.split('"').length % 2 === 0 || typed.lastIndexOf('<') > typed.lastIndexOf('>')
  return !isOpen && /[,;\n]|>\s*$|@[^\s<>]+\s$/.test(typed)
}
