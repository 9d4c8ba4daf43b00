import { Avatar } from '../ui/Avatar.tsx'

/** The picture of an application that requests access, so that users recognize it. */
export function AppPicture({ name, logo }: { name: string; logo: string | null }) {
  return <Avatar id={name} name={name} image={logo} size={56} isSquare />
}
