import { lazyRouteComponent } from '@tanstack/react-router'
import { loadTexts } from '../language/i18n.ts'

const loadStyles = () => import('../ui/screens.css')

/**
 * A screen that is loaded when it is needed, together with the texts of the screens and the styles of their components.
 */
export function lazyScreen<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(async () => {
    const [module] = await Promise.all([load(), loadTexts(), loadStyles()])
    return module
  }, name)
}
