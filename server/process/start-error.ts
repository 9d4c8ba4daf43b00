/** The server cannot start. The message is one sentence for the operator. */
export class StartError extends Error {}

/**
 * A worker cannot start, because the files of another version have taken the place of those that the primary process
 * runs.
 */
export class VersionMismatchError extends StartError {
  /** Exit status by which the primary process recognizes it. */
  static readonly status = 79
}
