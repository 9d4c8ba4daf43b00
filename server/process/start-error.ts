/** The start cannot go on; the message is the one sentence that the operator reads. */
export class StartError extends Error {}
