import { Button, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { CreateOrganization as Input } from '../../shared/organization.ts'
import { trpc } from '../api/trpc.ts'
import { currentLanguage } from '../language/i18n.ts'
import { useTranslation } from '../language/translation.ts'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field, setFieldError } from '../ui/Form.tsx'
import { Page } from '../ui/Page.tsx'
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
  const form = useScreenForm(Fields, { defaultValues: { name: '', slug: '' } })
  const [isSlugEdited, setSlugEdited] = useState(false)
  const [fallback] = useState(() => `org-${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? ''}`)
  const create = trpc.organization.create.useMutation({
    onSuccess: (created) => void navigate({ to: '/o/$slug', params: { slug: created.slug } }),
    onError: (error) => setFieldError(form, error, fields),
  })
  const slug = form.watch('slug')
  const check = useSlugCheck(slug)
  return (
    <Page title={t('create.title')} description={t('create.description')}>
      <Section>
        <form noValidate onSubmit={form.handleSubmit((input) => create.mutate(input))}>
          <Stack gap="md" maw={480}>
            <Field
              form={form}
              name="name"
              label={t('field.title')}
              autoComplete="organization"
              autoFocus
              onValue={(value) => {
                // A name without Latin letters or digits, such as 東京, results in an empty slug.
                const derived = slugFrom(value, currentLanguage()) || (value.trim() === '' ? '' : fallback)
                if (!isSlugEdited) form.setValue('slug', derived)
              }}
            />
            <Field
              form={form}
              name="slug"
              label={t('create.slug')}
              description={t('create.slugHint', { link: `${location.host}/o/${slug}` })}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onValue={(value) => setSlugEdited(value !== '')}
              problem={check.problem}
              rightSectionWidth={110}
              rightSection={check.isAvailable ? <span className="good-note">{t('create.slugFree')}</span> : undefined}
            />
            <ErrorMessage error={create.error} names={fields} />
            <Button type="submit" loading={create.isPending || create.isSuccess} style={{ alignSelf: 'flex-start' }}>
              {t('create.submit')}
            </Button>
          </Stack>
        </form>
      </Section>
    </Page>
  )
}
