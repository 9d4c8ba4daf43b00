/** Whether every percent sign in the path starts a valid encoded character (SEC-39). */
export function isDecodable(path: string): boolean {
  try {
    // The result is used because a bundler may remove a call whose only effect is to throw.
    return decodeURIComponent(path).length > 0
  } catch {
    return false
  }
}
