import { Button, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { CreateOrganization as Input } from '../../shared/organization.ts'
import { trpc } from '../api/trpc.ts'
import { currentLanguage } from '../language/i18n.ts'
import { useTranslation } from '../language/translation.ts'
import { setFieldError, useFieldMessage } from '../ui/Form.tsx'
import { Page } from '../ui/Page.tsx'
import { Refused } from '../ui/Refused.tsx'
import { useScreenForm } from '../ui/screen-form.ts'
import { Section } from '../ui/Section.tsx'
import { useSlugCheck } from './slug-check.ts'
import { slugFrom } from './slug.ts'

const fields = ['name', 'slug'] as const
const Fields = Input.pick({ name: true, slug: true })

/** Creates an organization. The slug is derived from the name until the user edits it. */
export function CreateOrganization() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const messageOf = useFieldMessage()
  const form = useScreenForm(Fields, { defaultValues: { name: '', slug: '' } })
  const [isSlugEdited, setSlugEdited] = useState(false)
  const [fallback] = useState(() => `org-${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? ''}`)
  const create = trpc.organization.create.useMutation({
    onSuccess: ({ slug }) => void navigate({ to: '/o/$slug', params: { slug } }),
    onError: (error) => setFieldError(form, error, fields),
  })
  const { errors } = form.formState
  const values = form.watch()
  const check = useSlugCheck(values.slug)
  return (
    <Page title={t('switcher.create')} lead={t('create.lead')}>
      <Section>
        <form noValidate onSubmit={form.handleSubmit((input) => create.mutate(input))}>
          <Stack gap="md" maw={480}>
            <TextInput
              {...form.register('name', {
                onChange: (event: { target: { value: string } }) => {
                  const { value } = event.target
                  // A name without Latin letters or digits, such as 東京, results in an empty slug.
                  const slug = slugFrom(value, currentLanguage()) || (value.trim() === '' ? '' : fallback)
                  if (!isSlugEdited) form.setValue('slug', slug)
                },
              })}
              label={t('field.title')}
              autoComplete="organization"
              autoFocus
              error={messageOf(errors.name, values.name)}
            />
            <TextInput
              {...form.register('slug', {
                onChange: (event: { target: { value: string } }) => setSlugEdited(event.target.value !== ''),
              })}
              label={t('create.slug')}
              description={t('create.slugHint', { link: `${location.host}/o/${values.slug}` })}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              error={check.problem ?? messageOf(errors.slug, values.slug)}
              rightSectionWidth={110}
              rightSection={check.isFree ? <span className="good-note">{t('create.slugFree')}</span> : undefined}
            />
            <Refused error={create.error} names={fields} />
            <Button type="submit" loading={create.isPending || create.isSuccess} style={{ alignSelf: 'flex-start' }}>
              {t('create.submit')}
            </Button>
          </Stack>
        </form>
      </Section>
    </Page>
  )
}
