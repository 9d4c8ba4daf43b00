import { Anchor, Table } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { screenStates } from '../api/screen-state.ts'
import { trpc } from '../api/trpc.ts'
import { Page } from '../ui/Page.tsx'

/**
 * The gallery for development: every screen in every state, each in its own window. English only, not a product screen.
 */
export function Gallery() {
  const { routesByPath } = useRouter()
  const { data: organizations = [] } = trpc.organization.mine.useQuery()
  const [session] = trpc.session.get.useSuspenseQuery()
  const slug = organizations[0]?.slug
  const paths = Object.keys(routesByPath)
    .filter((path) => path !== '/dev/screens')
    .map((path) =>
      path
        .replace('$slug', slug ?? 'none')
        .replace('$id', 'none')
        .replace('$endpointId', 'none')
        .replace('$organizationId', organizations[0]?.id ?? 'none')
        .replace('$userId', session?.user.id ?? 'none'),
    )
    .toSorted()
  return (
    <Page title="Screens">
      <Table.ScrollContainer minWidth={320}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Screen</Table.Th>
              {screenStates.map((state) => (
                <Table.Th key={state} scope="col">
                  {state}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {paths.map((path) => (
              <Table.Tr key={path}>
                <Table.Th scope="row">
                  <Anchor href={path}>{path}</Anchor>
                </Table.Th>
                {screenStates.map((state) => (
                  <Table.Td key={state}>
                    <Anchor href={path} target={`screen-${state}`} rel="opener" aria-label={`${path} ${state}`}>
                      open
                    </Anchor>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Page>
  )
}
