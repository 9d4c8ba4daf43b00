import type { AuthenticationResponseJSON } from '@simplewebauthn/browser'
import { useEffect, useRef, useState } from 'react'
import { refusalOf } from '../api/call-errors.ts'
import { trpc } from '../api/trpc.ts'

const load = () => import('@simplewebauthn/browser')

/** How long an attempt waits for the options of the former one, in milliseconds. */
const promptTimeoutMs = 3_000

/** Whether this browser supports passkeys. */
export function supportsPasskeys(): boolean {
  return typeof globalThis.PublicKeyCredential === 'function'
}

/** A dialog that the user has cancelled is not an error. */
function isCanceled(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}

type PasskeyUse = {
  onSignedIn: () => void
  isOffered?: boolean
  /** The user who confirms a call. The passkey of another one is refused. */
  userId?: string
}

/**
 * Signs in with a passkey: `ask` opens the browser's dialog. With `isOffered`, the browser also offers passkeys in a
 * field that has `autocomplete="… webauthn"`.
 */
export function usePasskey({ onSignedIn, isOffered = false, userId }: PasskeyUse) {
  const options = trpc.passkey.authenticateOptions.useMutation()
  const verify = trpc.passkey.authenticate.useMutation({ onSuccess: onSignedIn })
  const [failure, setFailure] = useState<unknown>()
  /** Whether the user waits for the browser's dialog. */
  const [isAsking, setAsking] = useState(false)
  const { mutateAsync: askOptions } = options
  const { mutateAsync: send } = verify

  // The browser keeps one challenge, and shows one dialog: of two attempts, the one that the user asked for goes on.
  const attempts = useRef({ latest: 0, isAsked: false, options: Promise.resolve<unknown>(undefined) })

  async function run(useBrowserAutofill: boolean): Promise<void> {
    const state = attempts.current
    if (useBrowserAutofill && state.isAsked) return
    const attempt = ++state.latest
    state.isAsked = !useBrowserAutofill
    setAsking(state.isAsked)
    setFailure(undefined)
    try {
      const { startAuthentication } = await load()
      // The options of the former attempt would replace the challenge of this one if they arrived later.
      await Promise.race([state.options, new Promise((done) => setTimeout(done, promptTimeoutMs))])
      if (attempt !== state.latest) return
      const asking = askOptions()
      state.options = asking.catch(() => {})
      const optionsJSON = await asking
      if (attempt !== state.latest) return
      setAsking(false)
      const response: AuthenticationResponseJSON = await startAuthentication({ optionsJSON, useBrowserAutofill })
      await send({
        response: { ...response, type: 'public-key', response: { ...response.response } },
        ...(userId !== undefined && { userId }),
      })
    } catch (error) {
      if (isCanceled(error) || attempt !== state.latest) return
      // The challenge has expired.
      if (useBrowserAutofill && refusalOf(error) === 'CHALLENGE_NOT_FOUND') await run(true)
      else setFailure(error)
    } finally {
      if (attempt === state.latest) {
        state.isAsked = false
        setAsking(false)
      }
    }
  }

  const runLatest = useRef(run)
  useEffect(() => {
    runLatest.current = run
  })
  useEffect(() => {
    if (!isOffered || !supportsPasskeys()) return undefined
    let isLeft = false
    let hasBegun = false
    // Started by the first touch or key press, so that merely viewing the page loads nothing more.
    const begin = async () => {
      stopListening()
      hasBegun = true
      const { browserSupportsWebAuthnAutofill } = await load()
      if (!isLeft && (await browserSupportsWebAuthnAutofill())) await runLatest.current(true)
    }
    const onFirst = () => void begin()
    const stopListening = () => {
      for (const type of ['pointerdown', 'keydown']) removeEventListener(type, onFirst)
    }
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, onFirst)
    return () => {
      isLeft = true
      stopListening()
      if (hasBegun) void load().then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony())
    }
  }, [isOffered])

  return { ask: () => void run(false), isPending: isAsking || verify.isPending || verify.isSuccess, error: failure }
}
