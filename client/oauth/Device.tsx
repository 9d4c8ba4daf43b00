import { Button, Stack, Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { z } from 'zod'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'
import { AuthLayout } from '../ui/AuthLayout.tsx'
import { ErrorMessage } from '../ui/ErrorMessage.tsx'
import { Field } from '../ui/Form.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { useScreenForm } from '../ui/screen-form.ts'
import { AppPicture } from './AppPicture.tsx'
import { Scopes } from './Scopes.tsx'

const Fields = z.object({ userCode: z.string().trim().min(1).max(64) })

/**
 * Connects a program on another device with the code that it shows. A URL with the code fills it in, and decides
 * nothing.
 */
export function Device() {
  const { t } = useTranslation()
  const { user_code: given = '' } = useSearch({ from: '/device' })
  const form = useScreenForm(Fields, { defaultValues: { userCode: given } })
  const find = trpc.oauth.device.useMutation()
  // The program may require a newer sign-in, or one with a second factor.
  const decide = trpc.oauth.decideDevice.useMutation()
  if (decide.isSuccess) {
    const { isAllowed } = decide.variables
    return (
      <AuthLayout
        title={t(isAllowed ? 'device.doneTitle' : 'device.deniedTitle')}
        description={t(isAllowed ? 'device.done' : 'device.denied')}
      >
        <ButtonLink to="/" variant="default" fullWidth>
          {t('common.toHome')}
        </ButtonLink>
      </AuthLayout>
    )
  }
  if (find.data) {
    const { app, email, ...scopes } = find.data
    const { userCode } = find.variables
    return (
      <AuthLayout
        title={t('device.allowTitle', { app: app.name })}
        emblem={<AppPicture {...app} />}
        description={t('consent.description', { email })}
      >
        <Stack gap="md">
          <Scopes {...scopes} />
          <Text c="dimmed" fz="sm">
            {t('device.warning')}
          </Text>
          <ErrorMessage error={decide.error} />
          <Button
            fullWidth
            loading={decide.isPending}
            onClick={() => decide.mutate({ userCode, email, isAllowed: true })}
          >
            {t('consent.allow')}
          </Button>
          <Button
            fullWidth
            variant="default"
            disabled={decide.isPending}
            onClick={() => decide.mutate({ userCode, email, isAllowed: false })}
          >
            {t('consent.deny')}
          </Button>
        </Stack>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={t('device.title')} description={t('device.description')}>
      <form noValidate onSubmit={form.handleSubmit((sent) => find.mutate(sent))}>
        <Stack gap="md">
          <Field
            form={form}
            name="userCode"
            label={t('device.code')}
            autoComplete="off"
            autoCapitalize="characters"
            autoFocus
          />
          <ErrorMessage error={find.error} />
          <Button type="submit" fullWidth loading={find.isPending}>
            {t('common.continue')}
          </Button>
        </Stack>
      </form>
    </AuthLayout>
  )
}
