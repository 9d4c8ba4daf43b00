import { Avatar, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { Name, PictureUrl, type UpdateUser, usernameProblem } from '../../shared/account.ts'
import { languageById, languages } from '../../shared/language.ts'
import { trpc } from '../app/trpc.ts'
import { chooseLanguage } from '../language/i18n.ts'
import { Field, Refused, setFieldError, useFieldMessage, useScreenForm } from '../ui/Form.tsx'
import { Section } from '../ui/Section.tsx'

const fields = ['name', 'username', 'image'] as const

/** An empty field means "none"; all other rules are shared with the server. */
const Fields = z.object({
  name: Name,
  username: z.string().superRefine((typed, ctx) => {
    const problem = typed === '' ? undefined : usernameProblem(typed)
    if (problem) ctx.addIssue({ code: 'custom', message: problem })
  }),
  image: z.union([z.literal(''), PictureUrl]),
  language: z.string(),
})
type Fields = z.output<typeof Fields>

export function Profile() {
  const { t } = useTranslation()
  const messageOf = useFieldMessage()
  const [current] = trpc.session.get.useSuspenseQuery()
  const user = current?.user
  const stored: Fields = {
    name: user?.name ?? '',
    username: user?.displayUsername ?? '',
    image: user?.image ?? '',
    language: String(user?.language ?? ''),
  }
  const form = useScreenForm(Fields, { defaultValues: stored, mode: 'onChange' })
  const update = trpc.account.update.useMutation({ onError: (error) => setFieldError(form, error, fields) })
  const { errors, isDirty } = form.formState
  const values = form.watch()

  const [debouncedUsername] = useDebouncedValue(values.username, 300)
  const shouldCheck =
    debouncedUsername !== '' &&
    debouncedUsername === values.username &&
    usernameProblem(debouncedUsername) === undefined
  const availability = trpc.account.isUsernameFree.useQuery({ username: debouncedUsername }, { enabled: shouldCheck })
  const taken =
    shouldCheck && availability.data === false ? t('refusal.USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER') : undefined
  const [previous, setPrevious] = useState<Fields>()

  const save = (changed: Fields, before?: Fields) =>
    update.mutate(changesOf(changed), {
      onSuccess: () => {
        form.reset(changed)
        setPrevious(before)
        void chooseLanguage(languageById(Number(changed.language)).code)
      },
    })

  return (
    <Section title={t('settings.profile')} why={t('settings.profileWhy')}>
      <form noValidate onSubmit={form.handleSubmit((changed) => save(changed, stored))}>
        <Stack gap="md" maw={480}>
          <Group gap="md" wrap="nowrap" align="flex-end">
            <Avatar src={values.image || null} name={values.name} alt="" size={64} />
            <Field form={form} name="name" style={{ flex: 1 }} label={t('field.name')} autoComplete="name" />
          </Group>
          <TextInput
            {...form.register('username')}
            label={t('settings.username')}
            description={t('settings.usernameHint')}
            autoComplete="username"
            error={messageOf(errors.username, values.username) ?? taken}
          />
          <Field
            form={form}
            name="image"
            label={t('settings.picture')}
            description={t('settings.pictureHint')}
            type="url"
            autoComplete="photo"
          />
          <NativeSelect
            {...form.register('language')}
            label={t('common.language')}
            data={languages.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
          <Refused error={update.error} names={fields} />
          <Group gap="sm">
            <Button type="submit" loading={update.isPending} disabled={!isDirty}>
              {t('settings.save')}
            </Button>
            <Text component="output" c="var(--good)">
              {update.isSuccess && !isDirty ? t('settings.saved') : ''}
            </Text>
            {previous && !isDirty && (
              <Button variant="subtle" onClick={() => save(previous)}>
                {t('settings.undo')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

/** Converts form values to the input of the update call. */
function changesOf({ name, username, image, language }: Fields): z.input<typeof UpdateUser> {
  return {
    name,
    image: image === '' ? null : image,
    language: languageById(Number(language)).id,
    ...(username !== '' && { username }),
  }
}
