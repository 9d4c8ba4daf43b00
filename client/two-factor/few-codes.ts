/** Few enough recovery codes to make new ones. */
export const fewCodes = 3
