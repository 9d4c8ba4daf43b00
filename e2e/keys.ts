/** Signing key of the payment provider stub's webhooks. */
export const webhookKey = `whsec_${Buffer.from('a key for the length of a journey').toString('base64')}`
