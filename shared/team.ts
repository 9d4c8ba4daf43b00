import { z } from 'zod'
import { Id, Timestamp, Name, Page } from './schema.ts'

export const Team = z.object({
  id: z.string(),
  name: z.string(),
  organizationId: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp.nullable(),
})
export type Team = z.output<typeof Team>

export const CreateTeam = z.object({ name: Name, organizationId: Id.optional() })

/** `data.organizationId` only identifies the organization. A team cannot be moved. */
export const UpdateTeam = z
  .object({
    teamId: Id,
    data: z.object({
      name: Name.optional(),
      organizationId: Id.optional(),
      // Timestamps are set by the server.
      createdAt: z.undefined().optional(),
      updatedAt: z.undefined().optional(),
    }),
  })
  .transform(({ teamId, data }) => ({ teamId, ...data }))

export const RemoveTeam = z.object({ teamId: Id, organizationId: Id.optional() })
export const TeamRemoved = z.object({ message: z.literal('Team removed successfully.') })

export const ListTeams = Page.unwrap().extend({ organizationId: Id.optional() }).default({})

/** Assigns a member to a team of the organization, or to none. */
export const AssignTeam = z.object({ memberId: Id, teamId: Id.nullable(), organizationId: Id.optional() })

/** For the UI: every team, with the number of its members. */
export const TeamsWithMembers = z.array(Team.extend({ memberCount: z.int() }))
