import { Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { z } from 'zod'
import { Metadata, Slug } from '../../shared/organization.ts'
import { Name, PictureUrl } from '../../shared/schema.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field, setFieldError, useFieldMessage } from '../ui/Form.tsx'
import { Person } from '../ui/Person.tsx'
import { PictureField } from '../ui/PictureField.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { useScreenForm } from '../ui/screen-form.ts'
import { Facts, Section, SettingRow } from '../ui/Section.tsx'
import { toast } from '../ui/toast.tsx'
import { useOrganization } from './current-organization.ts'
import { metadataLines, readMetadata } from './metadata.ts'
import { useSlugCheck } from './slug-check.ts'

const fields = ['name', 'slug', 'logo'] as const

/** An empty logo means none. Metadata is entered as lines of `key=value`. */
const Fields = z.object({
  name: Name,
  slug: Slug,
  logo: z.union([z.literal(''), PictureUrl]),
  metadata: z
    .string()
    .refine((lines) => Metadata.safeParse(readMetadata(lines)).success, 'organization.metadataInvalid'),
})
type Fields = z.output<typeof Fields>

/** Logo, name, slug and metadata, with undo for the last change. Read-only for members without the permission. */
export function General() {
  const { t } = useTranslation()
  const id = useId()
  const navigate = useNavigate()
  const messageOf = useFieldMessage()
  const { organization, may } = useOrganization()
  const { id: organizationId, name, slug, logo, metadata } = organization
  const stored: Fields = { name, slug, logo: logo ?? '', metadata: metadataLines(metadata) }
  const form = useScreenForm(Fields, { defaultValues: stored })
  const update = trpc.organization.update.useMutation({ onError: (error) => setFieldError(form, error, fields) })
  const { errors, isDirty } = form.formState
  const values = form.watch()
  const check = useSlugCheck(values.slug, slug)

  if (!may('organization', 'update')) {
    return (
      <Section title={t('organization.general')} description={t('organization.readOnly')}>
        <Facts
          facts={[
            [t('field.title'), <Person key="name" id={organizationId} name={name} image={logo} isSquare />],
            [t('create.slug'), `${location.host}/o/${slug}`],
          ]}
        />
      </Section>
    )
  }

  const save = async (input: Fields, before?: Fields): Promise<void> => {
    const data = { ...input, logo: input.logo || null, metadata: readMetadata(input.metadata) ?? null }
    const changed = await update.mutateAsync({ organizationId, data })
    form.reset(input)
    if (before) toast(t('common.saved'), () => save(before))
    // Always navigates: an undo runs after the URL has changed, and has only the former slug.
    void navigate({ to: '/o/$slug/settings', params: { slug: changed.slug }, replace: true, ignoreBlocker: true })
  }
  return (
    <Section title={t('organization.general')} description={t('organization.generalDescription')} isFlush>
      <form
        noValidate
        onSubmit={form.handleSubmit((input) =>
          // The error is shown below.
          save(input, stored).catch(() => {}),
        )}
      >
        <SettingRow name={t('create.logo')} description={t('common.pictureHint')}>
          <PictureField
            id={organizationId}
            name={values.name}
            value={values.logo}
            isSquare
            onChoose={(url) => form.setValue('logo', url, { shouldDirty: true })}
          />
        </SettingRow>
        <SettingRow name={t('field.title')} inputId={`${id}-name`}>
          <Field form={form} name="name" id={`${id}-name`} autoComplete="organization" />
        </SettingRow>
        <SettingRow
          name={t('create.slug')}
          description={t('create.slugHint', { link: `${location.host}/o/${values.slug}` })}
          inputId={`${id}-slug`}
        >
          <Field
            form={form}
            name="slug"
            id={`${id}-slug`}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            problem={check.problem}
            description={values.slug === slug ? undefined : t('organization.slugWarning')}
            inputWrapperOrder={['input', 'description', 'error']}
          />
        </SettingRow>
        <SettingRow
          name={t('organization.metadata')}
          description={t('organization.metadataHint')}
          inputId={`${id}-metadata`}
        >
          <Textarea
            {...form.register('metadata')}
            id={`${id}-metadata`}
            autosize
            minRows={2}
            maxRows={10}
            spellCheck={false}
            autoComplete="off"
            error={messageOf(errors.metadata, values.metadata)}
          />
        </SettingRow>
        <ErrorMessage error={update.error} names={fields} />
        <SaveBar isDirty={isDirty} isSaving={update.isPending} onDiscard={() => form.reset(stored)} />
      </form>
    </Section>
  )
}
