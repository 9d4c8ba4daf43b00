import type { ReactNode } from 'react'
import { Avatar } from './Avatar.tsx'
import classes from './Person.module.css'

type PersonProps = {
  id: string
  name: string
  image: string | null
  detail?: string
  tags?: ReactNode
  isSquare?: boolean
}

/** A picture with a name and a second line, for a user in a table or an organization. */
export function Person({ id, name, image, detail, tags, isSquare = false }: PersonProps) {
  return (
    <span className={classes.person}>
      <Avatar id={id} name={name} image={image} isSquare={isSquare} />
      <span className={classes.text}>
        <span className={classes.name}>
          <strong>{name}</strong>
          {tags}
        </span>
        {detail !== undefined && <span className={classes.note}>{detail}</span>}
      </span>
    </span>
  )
}
