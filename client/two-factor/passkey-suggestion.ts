/** localStorage key: the user has seen the suggestion in this browser and closed it. */
const suggestedKey = 'foyer.passkey-suggested'

/** Whether passkeys are suggested in this browser, to users who have none. */
export function suggestsPasskey(): boolean {
  return 'PublicKeyCredential' in globalThis && localStorage.getItem(suggestedKey) === null
}

/** Suggests passkeys no more in this browser. */
export function closePasskeySuggestion(): void {
  localStorage.setItem(suggestedKey, 'closed')
}
