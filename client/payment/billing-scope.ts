/** Selects the billing account: the organization's, or the signed-in user's when `organizationId` is absent. */
export type BillingScope = { organizationId?: string }
