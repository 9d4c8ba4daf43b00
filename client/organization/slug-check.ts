import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Slug } from '../../shared/organization.ts'
import { refusalOf } from '../api/call-errors.ts'
import { trpc } from '../api/trpc.ts'
import { useTranslation } from '../language/translation.ts'

/** Checks, while the user types, whether a slug is valid and available. `own` is the organization's current slug. */
export function useSlugCheck(typed: string, own?: string): { isAvailable: boolean; problem: string | undefined } {
  const { t } = useTranslation()
  const { client } = trpc.useUtils()
  const [debounced] = useDebouncedValue(typed, 300)
  const slug = Slug.safeParse(debounced).data
  const isInvalid = slug === undefined && debounced !== '' && debounced === typed
  const shouldCheck = slug !== undefined && debounced === typed && slug !== own
  const check = useQuery({
    queryKey: ['slug', slug],
    queryFn: async () => {
      try {
        return (await client.organization.checkSlug.mutate({ slug: slug ?? '' })).status
      } catch (error) {
        if (refusalOf(error) === 'SLUG_IS_TAKEN') return false
        throw error
      }
    },
    enabled: shouldCheck,
  })
  return {
    isAvailable: shouldCheck && check.data === true,
    problem: isInvalid
      ? t('create.slugInvalid')
      : shouldCheck && check.data === false
        ? t('refusal.SLUG_IS_TAKEN')
        : undefined,
  }
}
