import { Button, Menu, Stack } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ActionsMenu } from '../ui/ActionsMenu.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { useDateFormat } from '../ui/date-format.ts'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field } from '../ui/Form.tsx'
import { useScreenForm } from '../ui/screen-form.ts'
import { Row, Rows, Section, SettingRow } from '../ui/Section.tsx'
import { Tag } from '../ui/Tag.tsx'
import { toast } from '../ui/toast.tsx'
import { supportsPasskeys } from './use-passkey.ts'

type Passkey = Outputs['passkey']['list'][number]

/** The passkeys of the user in the settings: add, rename and remove. */
export function Passkeys() {
  const { t } = useTranslation()
  const dateFormat = useDateFormat()
  const [passkeys] = trpc.passkey.list.useSuspenseQuery()
  const [renaming, setRenaming] = useState<Passkey>()
  const [removing, setRemoving] = useState<Passkey>()
  const adding = useAddPasskey()
  const remove = trpc.passkey.delete.useMutation({
    onSuccess: () => {
      toast(t('passkeys.removed'))
      setRemoving(undefined)
    },
  })
  const nameOf = ({ name }: Passkey) => name ?? t('passkeys.unnamed')
  return (
    <Section title={t('passkeys.title')} description={t('passkeys.description')} isFlush>
      {passkeys.length > 0 && (
        <Rows>
          {passkeys.map((passkey) => (
            <Row
              key={passkey.id}
              name={
                <>
                  {nameOf(passkey)} {passkey.backedUp && <Tag>{t('passkeys.synced')}</Tag>}
                </>
              }
              detail={[
                t('passkeys.since', { day: dateFormat.day(passkey.createdAt) }),
                passkey.lastUsedAt === null
                  ? t('common.neverUsed')
                  : t('common.lastUsed', { time: dateFormat.relative(passkey.lastUsedAt) }),
              ].join(' · ')}
              action={
                <ActionsMenu name={nameOf(passkey)}>
                  <Menu.Item onClick={() => setRenaming(passkey)}>{t('passkeys.rename')}</Menu.Item>
                  <Menu.Item color="var(--danger)" onClick={() => setRemoving(passkey)}>
                    {t('passkeys.remove')}
                  </Menu.Item>
                </ActionsMenu>
              }
            />
          ))}
        </Rows>
      )}
      <SettingRow
        name={passkeys.length === 0 ? t('passkeys.none') : t('passkeys.another')}
        description={
          !supportsPasskeys()
            ? t('passkeys.unsupported')
            : passkeys.length > 0
              ? t('passkeys.anotherDescription')
              : undefined
        }
      >
        {supportsPasskeys() && (
          <Button size="sm" variant="default" loading={adding.isPending} onClick={adding.start}>
            {t('passkeys.add')}
          </Button>
        )}
      </SettingRow>
      <ErrorMessage error={adding.error} />
      {renaming && <Rename passkey={renaming} onClose={() => setRenaming(undefined)} />}
      {removing && (
        <Confirm
          title={t('passkeys.removeTitle', { name: nameOf(removing) })}
          description={t('passkeys.removeDescription')}
          action={t('passkeys.remove')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ id: removing.id })}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Section>
  )
}

/** Makes the browser create a passkey, and stores it. */
function useAddPasskey() {
  const { t } = useTranslation()
  const utils = trpc.useUtils()
  const [failure, setFailure] = useState<unknown>()
  const [isPending, setPending] = useState(false)
  const register = trpc.passkey.register.useMutation({ onSuccess: () => toast(t('passkeys.added')) })
  async function start(): Promise<void> {
    setFailure(undefined)
    setPending(true)
    try {
      const optionsJSON = await utils.client.passkey.registerOptions.query(undefined, { context: { isAction: true } })
      const { startRegistration } = await import('@simplewebauthn/browser')
      const response = await startRegistration({ optionsJSON })
      const name =
        response.authenticatorAttachment === 'cross-platform' ? t('passkeys.securityKey') : t('passkeys.thisDevice')
      await register.mutateAsync({
        response: { ...response, type: 'public-key', response: { ...response.response } },
        name,
      })
    } catch (error) {
      const isCanceled = error instanceof Error && error.name === 'NotAllowedError'
      if (!isCanceled) setFailure(error)
    } finally {
      setPending(false)
    }
  }
  return { start: () => void start(), isPending, error: failure }
}

const Fields = z.object({ name: z.string().trim().min(1).max(64) })

function Rename({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation()
  const form = useScreenForm(Fields, { defaultValues: { name: passkey.name ?? '' } })
  const update = trpc.passkey.update.useMutation({ onSuccess: onClose })
  return (
    <Dialog title={t('passkeys.rename')} onClose={onClose}>
      <form noValidate onSubmit={form.handleSubmit(({ name }) => update.mutate({ id: passkey.id, name }))}>
        <Stack gap="md">
          <Field form={form} name="name" label={t('field.name')} data-autofocus />
          <ErrorMessage error={update.error} />
          <DialogActions onClose={onClose}>
            <Button type="submit" loading={update.isPending}>
              {t('common.save')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
