import { Button, NativeSelect, Stack } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { Role } from '../../shared/permissions.ts'
import { statusOf } from '../api/call-errors.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { useOrganization } from '../organization/current-organization.ts'
import { RoleChoice } from '../organization/Roles.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ChevronIcon } from '../ui/icons.tsx'
import { toast } from '../ui/toast.tsx'
import type { EmailEntry } from './email-entries.ts'
import { EmailsField, withTyped } from './EmailsField.tsx'
import classes from './Invite.module.css'

/** Unsent email addresses, by membership, restored when a dialog that was closed by mistake is opened again. */
const drafts = new Map<string, EmailEntry[]>()

/** Invites one or more email addresses. Each gets its own result: refused ones stay in the field with the reason. */
export function Invite({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { organization, isOwnedByUser } = useOrganization()
  const { id: organizationId, name, counts, membershipLimit, seatLimit } = organization
  const [entries, setEntries] = useState<EmailEntry[]>(() => drafts.get(organization.me.id) ?? [])
  useEffect(() => void drafts.set(organization.me.id, entries), [organization.me.id, entries])
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const [role, setRole] = useState<Role>('member')
  const [teamId, setTeamId] = useState('')
  const { isSending, refused, allowAgain, inviteAll } = useInvitations(organizationId)
  const send = async () => {
    const all = withTyped(entries, typed)
    setEntries(all)
    setTyped('')
    const { sent, left } = await inviteAll(all, { role, ...(teamId !== '' && { teamId }) })
    setEntries(left)
    if (sent.length > 0) toast(t('invite.sent', { email: sent.join(', ') }))
    if (left.length === 0) onClose()
    // The button was disabled while sending.
    else requestAnimationFrame(() => field.current?.focus())
  }
  // Seats of a subscription are reserved by pending invitations, too.
  const room = Math.min(membershipLimit, (seatLimit ?? Infinity) - counts.pendingInvitations) - counts.members
  const count = withTyped(entries, typed).filter(({ text, isValid }) => isValid && !isFinal(refused.get(text))).length
  return (
    <Dialog
      title={t('invite.titleOf', { organization: name })}
      description={t('invite.dialogDescription', {
        left: Math.max(0, room),
        max: Math.min(membershipLimit, seatLimit ?? Infinity),
      })}
      size={560}
      isPersistent={isSending}
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
          <EmailsField
            entries={entries}
            onChange={(left) => {
              setEntries(left)
              for (const { text } of entries) if (left.every((one) => one.text !== text)) allowAgain(text)
            }}
            typed={typed}
            onType={setTyped}
            refused={refused}
            inputRef={field}
            disabled={isSending}
          />
          <fieldset className={classes.choices} disabled={isSending}>
            <RoleChoice
              value={role}
              onChange={(chosen) => {
                setRole(chosen)
                allowAgain()
              }}
              canAssignOwner={isOwnedByUser}
            />
            <TeamChoice
              value={teamId}
              onChange={(chosen) => {
                setTeamId(chosen)
                allowAgain()
              }}
            />
          </fieldset>
          <DialogActions isBusy={isSending} onClose={onClose}>
            <Button
              type="submit"
              loading={isSending}
              disabled={count === 0 && (typed.trim() === '' || refused.size > 0)}
            >
              {count > 1 ? t('invite.submitCount', { count }) : t('invite.submit')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Whether the same invitation would be refused again. */
function isFinal(error: unknown): boolean {
  const status = statusOf(error)
  return status !== undefined && status < 500 && status !== 429
}

/** Invites several people, and keeps why some were refused. */
function useInvitations(organizationId: string) {
  const [refused, setRefused] = useState<ReadonlyMap<string, unknown>>(new Map())
  const [isSending, setSending] = useState(false)
  const invite = trpc.invitation.create.useMutation()
  const inviteAll = async (entries: readonly EmailEntry[], input: { role: Role; teamId?: string }) => {
    setSending(true)
    const sent: string[] = []
    const failed = new Map<string, unknown>()
    // Sequential, because each is decided under the organization's lock.
    for (const { text: email, isValid } of entries) {
      if (!isValid || isFinal(refused.get(email))) continue
      try {
        await invite.mutateAsync({ organizationId, email, ...input })
        sent.push(email)
      } catch (error) {
        failed.set(email, error)
      }
    }
    setSending(false)
    const left = entries.filter(({ text }) => !sent.includes(text))
    // An address that was removed and is entered again may be invited again.
    setRefused(
      new Map(
        left.flatMap(({ text }) =>
          failed.has(text) || refused.has(text) ? [[text, failed.get(text) ?? refused.get(text)]] : [],
        ),
      ),
    )
    return { sent, left }
  }
  /** With another role or team, or entered again, an address may be invited. */
  const allowAgain = (text?: string) =>
    setRefused((before) => new Map([...before].filter(([one]) => text !== undefined && one !== text)))
  return { isSending, refused, allowAgain, inviteAll }
}

/** The team that new members join, where there are teams. */
function TeamChoice({ value, onChange }: { value: string; onChange: (teamId: string) => void }) {
  const { t } = useTranslation()
  const { organization } = useOrganization()
  const { data: teams = [] } = trpc.team.list.useQuery({ organizationId: organization.id })
  if (teams.length === 0) return null
  return (
    <NativeSelect
      label={`${t('common.team')} (${t('invite.optional')})`}
      rightSection={<ChevronIcon />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: '', label: t('common.noTeam') }, ...teams.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  )
}
