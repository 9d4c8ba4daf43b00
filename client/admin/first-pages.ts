import { pageSize } from '../ui/search.ts'

// The inputs of lists whose first page is loaded with the route of their screen.

export const openPaymentEventsPage = { limit: 50 }
export const mailsPage = { limit: pageSize }
