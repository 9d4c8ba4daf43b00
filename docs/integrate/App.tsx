// A React application on another origin: sign-in at Foyer and back, the organization, a typed call, and a token for your
// own back end. Add its origin to Foyer's TRUSTED_ORIGINS. Replace src/App.tsx of Vite's template react-ts with this file.
import { createFoyer, getToken, type Outputs, refusalOf } from '@foyer/client'
import {
  FoyerProvider,
  OrganizationSwitcher,
  RedirectToSignIn,
  SignedIn,
  SignedOut,
  useFoyer,
  useOrganization,
  UserButton,
  useSession,
} from '@foyer/client/react'
import '@foyer/client/styles.css'
import { useState } from 'react'

const foyer = createFoyer({ url: 'http://localhost:3000' })

function Dashboard() {
  const { data } = useSession()
  const { organization, role } = useOrganization()
  const client = useFoyer()
  const [teams, setTeams] = useState<Outputs['team']['list']>()
  const [token, setToken] = useState('')
  const [problem, setProblem] = useState<string>()
  const load = async () => {
    try {
      setTeams(await client.team.list.query())
      // Send it to your back end as `Authorization: Bearer`; backend.mjs and backend.py verify it.
      setToken(await getToken(client))
    } catch (error) {
      setProblem(refusalOf(error))
    }
  }
  return (
    <main>
      <h1>Hello {data?.user.name}</h1>
      <p id="organization">{organization ? `${organization.name} as ${role}` : 'Personal'}</p>
      <button type="button" onClick={() => void load()}>
        Load
      </button>
      <p id="teams">{teams?.map(({ name }) => name).join()}</p>
      <p id="token">{token}</p>
      <p id="problem">{problem}</p>
    </main>
  )
}

export default function App() {
  return (
    <FoyerProvider client={foyer}>
      <SignedIn>
        <header style={{ display: 'flex', gap: 16, justifyContent: 'space-between', padding: 12 }}>
          <OrganizationSwitcher />
          <UserButton />
        </header>
        <Dashboard />
      </SignedIn>
      <SignedOut>
        <RedirectToSignIn />
      </SignedOut>
    </FoyerProvider>
  )
}
