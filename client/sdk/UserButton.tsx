import * as Menu from '@radix-ui/react-dropdown-menu'
import { useState } from 'react'
import { Avatar } from './Avatar.tsx'
import { useProvided } from './FoyerProvider.tsx'
import { useSession } from './hooks.ts'
import { settingsUrl } from './index.ts'

export type UserButtonProps = {
  /** URL to open after signing out. By default the page stays, and shows its signed-out content. */
  afterSignOut?: string
}

/** The user's picture with a menu: name, settings, sign-out. Renders nothing when signed out. */
export function UserButton({ afterSignOut }: UserButtonProps) {
  const { foyer, queryClient, texts } = useProvided()
  const user = useSession().data?.user
  const [hasFailed, setHasFailed] = useState(false)
  if (!user) return null
  const signOut = async () => {
    setHasFailed(false)
    try {
      await foyer.session.signOut.mutate()
    } catch {
      setHasFailed(true)
      return
    }
    if (afterSignOut !== undefined) {
      // Rendering the signed-out content, such as RedirectToSignIn, would lead elsewhere.
      location.assign(afterSignOut)
      return
    }
    // A response that is still on its way would bring the user back.
    await queryClient.cancelQueries()
    // No data of the user stays in memory.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    queryClient.setQueryData(['session'], null)
  }
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="foyer-user-button" aria-label={`${texts.account}: ${user.name}`}>
        <Avatar id={user.id} name={user.name} image={user.image} />
      </Menu.Trigger>
      {/* Inside the page's own landmarks, not at its end. */}
      <Menu.Content className="foyer-menu" align="end" sideOffset={6} aria-label={texts.account}>
        <Menu.Label className="foyer-menu-user">
          <Avatar id={user.id} name={user.name} image={user.image} />
          <span>
            <strong>{user.name}</strong>
            <span>{user.email}</span>
          </span>
        </Menu.Label>
        <Menu.Separator className="foyer-menu-line" />
        <Menu.Item className="foyer-menu-item" onSelect={() => location.assign(settingsUrl(foyer, location.href))}>
          {texts.manage}
        </Menu.Item>
        <Menu.Item
          className="foyer-menu-item"
          onSelect={(event) => {
            // The menu stays open until the response arrives: it then disappears with the user, or shows the error.
            event.preventDefault()
            void signOut()
          }}
        >
          {texts.signOut}
        </Menu.Item>
        {hasFailed && (
          <span role="alert" className="foyer-failed">
            {texts.failed}
          </span>
        )}
      </Menu.Content>
    </Menu.Root>
  )
}
