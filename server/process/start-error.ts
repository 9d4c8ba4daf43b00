/** The server cannot start. The message is one sentence for the operator. */
export class StartError extends Error {}
