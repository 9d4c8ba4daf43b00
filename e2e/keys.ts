/** What the provider of the journeys signs with. */
export const webhookKey = `whsec_${Buffer.from('a key for the length of a journey').toString('base64')}`
