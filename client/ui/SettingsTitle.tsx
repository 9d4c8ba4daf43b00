import { brand } from '../language/brand.ts'

/** The document's title of a section of the settings. */
export function SettingsTitle({ section, page }: { section: string; page: string }) {
  return <title>{`${section} · ${page} · ${brand.product}`}</title>
}
