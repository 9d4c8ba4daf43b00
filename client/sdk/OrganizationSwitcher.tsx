import { useId, useState } from 'react'
import { Avatar } from './Avatar.tsx'
import { useProvided } from './FoyerProvider.tsx'
import { useOrganization } from './hooks.ts'

export type OrganizationSwitcherProps = {
  /** Omits "Personal account". */
  hidePersonal?: boolean
  /** Called after each switch, with the id of the organization; null for the personal account. */
  onSwitch?: (organizationId: string | null) => void
}

/** Selects the organization in which the user works. Renders nothing when signed out. */
export function OrganizationSwitcher({ hidePersonal = false, onSwitch }: OrganizationSwitcherProps) {
  const { texts } = useProvided()
  const { organization, organizations, setActive, isLoading, error } = useOrganization()
  const [target, setTarget] = useState<string>()
  const [hasFailed, setHasFailed] = useState(false)
  const messageId = useId()
  if (isLoading || (error && !organization) || (organizations.length === 0 && !organization)) return null
  const isListed = !organization || organizations.some(({ id }) => id === organization.id)
  const shown = isListed ? organizations : [...organizations, organization]
  const choose = async (id: string) => {
    // One at a time: two concurrent switches could end on the first.
    if (target !== undefined) return
    setTarget(id)
    setHasFailed(false)
    try {
      await setActive(id === '' ? null : id)
      onSwitch?.(id === '' ? null : id)
    } catch {
      setHasFailed(true)
    } finally {
      setTarget(undefined)
    }
  }
  return (
    <span className="foyer-organization-switcher">
      {organization && <Avatar id={organization.id} name={organization.name} image={organization.logo} />}
      <select
        aria-label={texts.organization}
        aria-busy={target !== undefined}
        aria-describedby={hasFailed ? messageId : undefined}
        value={target ?? organization?.id ?? ''}
        onChange={(event) => void choose(event.currentTarget.value)}
      >
        {(!hidePersonal || !organization) && <option value="">{texts.personal}</option>}
        {shown.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {hasFailed && (
        <span role="alert" id={messageId} className="foyer-failed">
          {texts.failed}
        </span>
      )}
    </span>
  )
}
