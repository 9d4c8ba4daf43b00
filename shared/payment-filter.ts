/**
 * Filters of the tables of payments. In a file of its own, because routes of the client need it without the schemas.
 */
export const paymentFilters = ['succeeded', 'failed', 'cancelled', 'refunded'] as const
