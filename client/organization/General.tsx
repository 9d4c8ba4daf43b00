import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { Name, PictureUrl } from '../../shared/account.ts'
import { Slug } from '../../shared/organization.ts'
import { trpc } from '../app/trpc.ts'
import { Field, Refused, setFieldError, useFieldMessage, useScreenForm } from '../ui/Form.tsx'
import { Facts, Section } from '../ui/Section.tsx'
import { Emblem } from './Emblem.tsx'
import { useOrganization } from './current-organization.ts'
import { useSlugCheck } from './slug-check.ts'

const fields = ['name', 'slug', 'logo'] as const

/** An empty logo means none. */
const Fields = z.object({ name: Name, slug: Slug, logo: z.union([z.literal(''), PictureUrl]) })
type Fields = z.output<typeof Fields>

/** Name, slug and logo, with undo for the last change. Read-only for members without the permission. */
export function General() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const messageOf = useFieldMessage()
  const { organization, may } = useOrganization()
  const { id: organizationId, name, slug, logo } = organization
  const stored: Fields = { name, slug, logo: logo ?? '' }
  const form = useScreenForm(Fields, { defaultValues: stored })
  const update = trpc.organization.update.useMutation({ onError: (error) => setFieldError(form, error, fields) })
  const [previous, setPrevious] = useState<Fields>()
  const { errors, isDirty } = form.formState
  const values = form.watch()
  const check = useSlugCheck(values.slug, slug)

  if (!may('organization', 'update')) {
    return (
      <Section title={t('organization.general')} why={t('organization.readOnly')}>
        <Facts
          facts={[
            [
              t('field.title'),
              <>
                <Emblem key="logo" name={name} logo={logo} /> {name}
              </>,
            ],
            [t('create.slug'), `${location.host}/o/${slug}`],
          ]}
        />
      </Section>
    )
  }

  const save = (input: Fields, before?: Fields) =>
    update.mutate(
      { organizationId, data: { ...input, logo: input.logo === '' ? null : input.logo } },
      {
        onSuccess: (changed) => {
          form.reset(input)
          setPrevious(before)
          if (changed.slug !== slug) {
            void navigate({ to: '/o/$slug/settings', params: { slug: changed.slug }, replace: true })
          }
        },
      },
    )
  return (
    <Section title={t('organization.general')} why={t('organization.generalWhy')}>
      <form noValidate onSubmit={form.handleSubmit((input) => save(input, stored))}>
        <Stack gap="md" maw={480}>
          <Group gap="md" wrap="nowrap" align="flex-end">
            <Emblem name={values.name} logo={values.logo || null} size={64} />
            <Field form={form} name="name" style={{ flex: 1 }} label={t('field.title')} autoComplete="organization" />
          </Group>
          <TextInput
            {...form.register('slug')}
            label={t('create.slug')}
            description={t('create.slugHint', { link: `${location.host}/o/${values.slug}` })}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            error={messageOf(errors.slug, values.slug) ?? check.problem}
          />
          <Field
            form={form}
            name="logo"
            label={t('create.logo')}
            description={t('create.logoHint')}
            type="url"
            autoComplete="off"
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
