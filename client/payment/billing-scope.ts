import type { Outputs } from '../api/trpc.ts'

/** Selects the billing account: the organization's, or the signed-in user's when `organizationId` is absent. */
export type BillingScope = { organizationId?: string }

/** A subscription as the server lists it. */
export type Subscription = Outputs['payment']['subscriptions'][number]

/** A payment as the server lists it. */
export type Payment = Outputs['payment']['payments'][number]
