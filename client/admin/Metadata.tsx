import { Button, Group, JsonInput, Stack } from '@mantine/core'
import { Controller } from 'react-hook-form'
import { z } from 'zod'
import { MetadataInput } from '../../shared/metadata.ts'
import { Metadata } from '../../shared/organization.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { ErrorCard } from '../ui/ErrorCard.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { useFieldMessage } from '../ui/Form.tsx'
import { useScreenForm } from '../ui/screen-form.ts'
import { Section } from '../ui/Section.tsx'
import { toast } from '../ui/toast.tsx'

/** The public and private metadata of a user. */
export function UserMetadata({ userId }: { userId: string }) {
  const { t } = useTranslation()
  const { data, error, refetch } = trpc.admin.userMetadata.useQuery({ userId })
  const save = trpc.admin.setUserMetadata.useMutation({ onSuccess: () => toast(t('metadata.saved')) })
  return (
    <Section title={t('metadata.title')} description={t('metadata.userDescription')}>
      {error && !data && <ErrorCard error={error} onTryAgain={() => void refetch()} />}
      {data && (
        <MetadataForm
          // Resets the form when the stored data changes.
          key={JSON.stringify(data)}
          stored={data}
          publicSchema={MetadataInput}
          isPending={save.isPending}
          error={save.error}
          onSave={(metadata) => save.mutate({ userId, ...metadata })}
        />
      )}
    </Section>
  )
}

/** The public and private metadata of an organization. */
export function OrganizationMetadata({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation()
  const { data, error, refetch } = trpc.admin.organizationMetadata.useQuery({ organizationId })
  const save = trpc.admin.setOrganizationMetadata.useMutation({ onSuccess: () => toast(t('metadata.saved')) })
  return (
    <Section title={t('metadata.title')} description={t('metadata.organizationDescription')}>
      {error && !data && <ErrorCard error={error} onTryAgain={() => void refetch()} />}
      {data && (
        <MetadataForm
          key={JSON.stringify(data)}
          stored={{ ...data, metadata: data.metadata ?? {} }}
          publicSchema={Metadata}
          publicMessage="metadata.invalidStrings"
          isPending={save.isPending}
          error={save.error}
          onSave={(metadata) => save.mutate({ organizationId, ...metadata })}
        />
      )}
    </Section>
  )
}

type InvalidMessage = 'metadata.invalid' | 'metadata.invalidStrings'

type MetadataFormProps<Public extends Record<string, unknown>> = {
  stored: { metadata: Record<string, unknown>; privateMetadata: Record<string, unknown> }
  publicSchema: z.ZodType<Public>
  /** Says what the public metadata must be. */
  publicMessage?: InvalidMessage
  isPending: boolean
  error: unknown
  onSave: (metadata: { metadata: Public; privateMetadata: Record<string, unknown> }) => void
}

/** Two JSON objects. */
function MetadataForm<Public extends Record<string, unknown>>({
  stored,
  publicSchema,
  publicMessage = 'metadata.invalid',
  isPending,
  error,
  onSave,
}: MetadataFormProps<Public>) {
  const { t } = useTranslation()
  const messageOf = useFieldMessage()
  const schema = z.object({
    metadata: jsonOf(publicSchema, publicMessage),
    privateMetadata: jsonOf(MetadataInput),
  })
  const form = useScreenForm(schema, {
    defaultValues: { metadata: written(stored.metadata), privateMetadata: written(stored.privateMetadata) },
  })
  const { isDirty } = form.formState
  return (
    <form noValidate onSubmit={form.handleSubmit(onSave)}>
      <Stack gap="md">
        {(['metadata', 'privateMetadata'] as const).map((name) => (
          <Controller
            key={name}
            control={form.control}
            name={name}
            render={({ field: { ref: _ref, ...field }, fieldState }) => (
              <JsonInput
                {...field}
                label={t(`metadata.${name}`)}
                autosize
                minRows={2}
                maxRows={16}
                spellCheck={false}
                validationError={t(name === 'metadata' ? publicMessage : 'metadata.invalid')}
                styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
                error={messageOf(fieldState.error, field.value)}
              />
            )}
          />
        ))}
        <ErrorMessage error={error} />
        <Group>
          <Button type="submit" variant="default" loading={isPending} disabled={!isDirty}>
            {t('common.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function written(metadata: Record<string, unknown>): string {
  return JSON.stringify(metadata, null, 2)
}

/** JSON text of an object. An empty text means an empty object. */
function jsonOf<Shape extends Record<string, unknown>>(
  shape: z.ZodType<Shape>,
  message: InvalidMessage = 'metadata.invalid',
) {
  return z.string().transform((text, context) => {
    const read = shape.safeParse(parsed(text.trim() === '' ? '{}' : text))
    if (read.success) return read.data
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
