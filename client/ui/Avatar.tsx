import { type CSSProperties, useState } from 'react'
import { hueOf, initialsOf } from '../../shared/theme.ts'
import classes from './Avatar.module.css'

type AvatarProps = { id: string; name: string; image: string | null; size?: number; isSquare?: boolean }

/**
 * A picture, or the initials on a color derived from the id. People are round, organizations and teams square.
 * Decorative: the name is always next to it.
 */
export function Avatar({ id, name, image, size = 34, isSquare = false }: AvatarProps) {
  const [failed, setFailed] = useState<string>()
  const hue = hueOf(id)
  const style: CSSProperties = {
    width: size,
    height: size,
    fontSize: Math.max(10, Math.round(size * 0.37)),
    borderRadius: isSquare ? Math.max(6, Math.round(size * 0.26)) : '50%',
    background: `var(--hue${hue})`,
    color: `var(--hue${hue}Ink)`,
  }
  const hasPicture = image !== null && image !== '' && image !== failed
  return (
    <span className={classes.avatar} style={style} aria-hidden="true">
      {hasPicture ? <img src={image} alt="" onError={() => setFailed(image)} /> : initialsOf(name)}
    </span>
  )
}
