/** Whose billing a list shows: the organization's, or without one the reader's own. */
export type BillingScope = { organizationId?: string }
