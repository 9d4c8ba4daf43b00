import { useEffect, useState } from 'react'
import { isProvider, type ProviderId } from '../../shared/provider.ts'
import type { Logos } from './provider-logos.ts'

let known: Partial<Logos> = {}

/** Keeps the logos of the prerendered page. Its HTML has those of the providers that the server offers. */
export function adoptPrerenderedLogos(page: ParentNode): void {
  for (const button of page.querySelectorAll<HTMLElement>('[data-provider]')) {
    const id = button.dataset['provider'] ?? ''
    const paths = [...button.querySelectorAll('path')]
    if (isProvider(id))
      known[id] = paths.map((path) => [path.getAttribute('d') ?? '', path.getAttribute('fill') ?? undefined])
  }
}

/** Loads the logos of all providers, unless those of these are known. */
export async function loadLogos(ids: readonly ProviderId[]): Promise<void> {
  if (ids.some((id) => !known[id])) known = (await import('./provider-logos.ts')).logos
}

/** Decorative: the provider's name is always displayed next to it. */
export function ProviderLogo({ id }: { id: ProviderId }) {
  const [parts, setParts] = useState(known[id])
  useEffect(() => {
    if (!parts)
      void loadLogos([id]).then(
        () => setParts(known[id]),
        () => {},
      )
  }, [id, parts])
  return (
    <svg
      viewBox="0 0 24 24"
      width="18"
      height="18"
      fill="currentColor"
      fillRule="evenodd"
      aria-hidden="true"
      focusable="false"
    >
      {parts?.map(([path, color]) => (
        <path key={path} d={path} fill={color} />
      ))}
    </svg>
  )
}
