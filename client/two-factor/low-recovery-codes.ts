/** Number of remaining recovery codes from which on new ones are suggested. */
export const lowRecoveryCodes = 3
