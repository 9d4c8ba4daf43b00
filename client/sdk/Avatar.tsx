import { useState } from 'react'
import { hueOf, initialsOf } from '../../shared/theme.ts'

/**
 * A picture, or initials on a color derived from the id. Hidden from screen readers, because the name is next to it.
 */
export function Avatar({ id, name, image }: { id: string; name: string; image: string | null }) {
  const [failed, setFailed] = useState<string>()
  const hasPicture = image !== null && image !== '' && image !== failed
  return (
    <span className="foyer-avatar" data-hue={hueOf(id)} aria-hidden="true">
      {hasPicture ? <img src={image} alt="" onError={() => setFailed(image)} /> : initialsOf(name)}
    </span>
  )
}
