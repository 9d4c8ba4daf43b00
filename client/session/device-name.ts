import { useTranslation } from '../language/translation.ts'

/** Name of a device from its browser and system. Null if neither is known. */
export function useDeviceName(): (device: { browser: string | null; system: string | null }) => string | null {
  const { t } = useTranslation()
  return ({ browser, system }) =>
    browser && system ? t('sessions.browserOnSystem', { browser, system }) : (browser ?? system)
}
