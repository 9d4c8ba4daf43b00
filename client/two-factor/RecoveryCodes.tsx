import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useState } from 'react'
import { brand } from '../language/brand.ts'
import { useTranslation } from '../language/translation.ts'
import { Dialog } from '../ui/Dialog.tsx'
import classes from './RecoveryCodes.module.css'

/** New recovery codes, which are shown once: to be copied, downloaded or printed. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation()
  const clipboard = useClipboard({ timeout: 4000 })
  const [hasSavedCodes, setHasSavedCodes] = useState(false)
  const text = `${codes.join('\n')}\n`
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`
  return (
    <Dialog
      title={t('twoFactor.codesTitle')}
      description={t('twoFactor.codesDescription')}
      isPersistent
      onClose={onClose}
    >
      <Stack gap="md">
        <ul className={classes.codes} data-print>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <Group gap="xs">
          <Button variant="default" size="sm" onClick={() => clipboard.copy(text)}>
            {t('twoFactor.copy')}
          </Button>
          <Button
            component="a"
            variant="default"
            size="sm"
            href={file}
            download={`${brand.product.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-recovery-codes.txt`}
          >
            {t('twoFactor.download')}
          </Button>
          <Button variant="default" size="sm" onClick={() => globalThis.print()}>
            {t('twoFactor.print')}
          </Button>
          <Text component="output" c="var(--good)" fz="sm">
            {clipboard.copied ? t('common.copied') : ''}
          </Text>
        </Group>
        <Checkbox
          checked={hasSavedCodes}
          onChange={(event) => setHasSavedCodes(event.currentTarget.checked)}
          label={t('twoFactor.kept')}
        />
        <Group justify="flex-end">
          <Button disabled={!hasSavedCodes} onClick={onClose}>
            {t('common.done')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
