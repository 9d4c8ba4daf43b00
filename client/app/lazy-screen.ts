import { lazyRouteComponent } from '@tanstack/react-router'
import { loadTexts } from '../language/i18n.ts'

/** A screen that is loaded when it is needed, together with the texts of the screens. */
export function lazyScreen<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(async () => {
    const [module] = await Promise.all([load(), loadTexts()])
    return module
  }, name)
}
