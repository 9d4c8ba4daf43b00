import { Avatar } from '@mantine/core'
import classes from './Emblem.module.css'

/** An organization's logo, or its initials. Decorative: the name is always displayed next to it. */
export function Emblem({ name, logo, size = 28 }: { name: string; logo: string | null; size?: number }) {
  return <Avatar src={logo} name={name} alt="" size={size} radius={6} className={classes.emblem} />
}
