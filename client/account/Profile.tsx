import { NativeSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useId } from 'react'
import { z } from 'zod'
import { type UpdateUser } from '../../shared/account.ts'
import { usernameProblem } from '../../shared/identity.ts'
import { languageById, languages } from '../../shared/language.ts'
import { Name, PictureUrl } from '../../shared/schema.ts'
import { trpc } from '../api/trpc.ts'
import { chooseLanguage } from '../language/i18n.ts'
import { useTranslation } from '../language/translation.ts'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field, setFieldError } from '../ui/Form.tsx'
import { ChevronIcon } from '../ui/icons.tsx'
import { PictureField } from '../ui/PictureField.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { useScreenForm } from '../ui/screen-form.ts'
import { Section, SettingRow } from '../ui/Section.tsx'
import { toast } from '../ui/toast.tsx'

const fields = ['name', 'username', 'image'] as const

/**
 * An empty field means "none", except that an existing username can only be changed. All other rules are shared with
 * the server.
 */
const fieldsOf = (hasUsername: boolean) =>
  z.object({
    name: Name,
    username: z.string().superRefine((typed, ctx) => {
      const problem = typed === '' && !hasUsername ? undefined : usernameProblem(typed)
      if (problem) ctx.addIssue({ code: 'custom', message: problem })
    }),
    image: z.union([z.literal(''), PictureUrl]),
    language: z.string(),
  })
type Fields = z.output<ReturnType<typeof fieldsOf>>

/** Picture, name, username and language, with undo for the last change. */
export function Profile() {
  const { t } = useTranslation()
  const id = useId()
  const [current] = trpc.session.get.useSuspenseQuery()
  const user = current?.user
  const stored: Fields = {
    name: user?.name ?? '',
    username: user?.displayUsername ?? '',
    image: user?.image ?? '',
    language: String(user?.language ?? ''),
  }
  const form = useScreenForm(fieldsOf(stored.username !== ''), { defaultValues: stored, mode: 'onChange' })
  const update = trpc.account.update.useMutation({ onError: (error) => setFieldError(form, error, fields) })
  const { isDirty, defaultValues } = form.formState
  // What the form was opened with: the stored profile may have been changed elsewhere since.
  const loaded = (): Fields => ({ ...stored, ...defaultValues })
  const values = form.watch()

  const [debouncedUsername] = useDebouncedValue(values.username, 300)
  const shouldCheck =
    debouncedUsername !== '' &&
    debouncedUsername === values.username &&
    usernameProblem(debouncedUsername) === undefined
  const availability = trpc.account.isUsernameFree.useQuery({ username: debouncedUsername }, { enabled: shouldCheck })
  const taken =
    shouldCheck && availability.data === false ? t('refusal.USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER') : undefined

  const save = async (changed: Fields, before: Fields, isUndo = false): Promise<void> => {
    await update.mutateAsync(changesOf(changed, before))
    form.reset(changed)
    // A username can be changed but not removed: the first one stays.
    const undone = { ...before, username: before.username || changed.username }
    const canUndo = Object.keys(changesOf(undone, changed)).length > 0
    if (!isUndo) toast(t('common.saved'), canUndo ? () => save(undone, changed, true) : undefined)
    void chooseLanguage(languageById(Number(changed.language)).code)
  }

  return (
    <Section title={t('settings.profile')} description={t('settings.profileDescription')} isFlush>
      <form
        noValidate
        onSubmit={form.handleSubmit((changed) =>
          // The error is shown below.
          save(changed, loaded()).catch(() => {}),
        )}
      >
        <SettingRow name={t('settings.picture')} description={t('common.pictureHint')}>
          <PictureField
            id={user?.id ?? ''}
            name={values.name}
            value={values.image}
            onChoose={(url) => form.setValue('image', url, { shouldDirty: true })}
          />
        </SettingRow>
        <SettingRow name={t('field.name')} description={t('common.nameHint')} inputId={`${id}-name`}>
          <Field form={form} name="name" id={`${id}-name`} autoComplete="name" />
        </SettingRow>
        <SettingRow name={t('common.username')} description={t('settings.usernameHint')} inputId={`${id}-username`}>
          <Field
            form={form}
            name="username"
            id={`${id}-username`}
            autoComplete="username"
            autoCapitalize="none"
            problem={taken}
          />
        </SettingRow>
        <SettingRow name={t('common.language')} description={t('settings.languageHint')} inputId={`${id}-language`}>
          <NativeSelect
            {...form.register('language')}
            id={`${id}-language`}
            autoFocus={location.hash === '#language'}
            rightSection={<ChevronIcon />}
            data={languages.map(({ id: value, name }) => ({ value: String(value), label: name }))}
          />
        </SettingRow>
        <ErrorMessage error={update.error} names={fields} />
        <SaveBar isDirty={isDirty} isSaving={update.isPending} onDiscard={() => form.reset(stored)} />
      </form>
    </Section>
  )
}

/** The input of the update call: only the changed fields, so that concurrent changes made elsewhere are kept. */
function changesOf({ name, username, image, language }: Fields, before: Fields): z.input<typeof UpdateUser> {
  return {
    ...(name !== before.name && { name }),
    ...(image !== before.image && { image: image === '' ? null : image }),
    ...(language !== before.language && { language: languageById(Number(language)).id }),
    ...(username !== before.username && { username }),
  }
}
