import { expect, it } from 'vitest'
import { isRefusalKey, refusals } from '../../shared/errors.ts'
import { proceduresOf } from '../http/procedures.ts'
import { refusalsOf } from '../http/refusals-by-call.ts'
import { appRouter } from '../router.ts'
import { provokedByCall, provokedRefusals } from './refusals.ts'

/** Refusals that no test can provoke through a transport, each with the reason. */
const unprovoked = new Set<string>([
  // For server code only. Its test calls the function directly.
  'USER_ALREADY_HAS_A_PASSWORD',
  // Represents callback codes that a sign-in with an id_token does not produce.
  'SOCIAL_FAILED_TO_GET_USER_INFO',
])

// Runs after all other tests, and only in a full run: each refusal of the catalogue was the answer to some call.
it('every refusal of the catalogue was provoked', () => {
  const provoked = provokedRefusals()
  const missing = Object.keys(refusals).filter((key) => !provoked.has(key) && !unprovoked.has(key))
  expect(missing).toEqual([])
  expect([...unprovoked].filter((key) => provoked.has(key))).toEqual([])
})

// The API description contains every refusal of a call that a test provokes.
it('every refusal of a call is documented', () => {
  const documented = new Map(proceduresOf(appRouter).map((procedure) => [procedure.name, refusalsOf(procedure)]))
  const undescribed = provokedByCall().filter(([path, key]) => {
    const known = documented.get(path)
    return known && !(isRefusalKey(key) && known.includes(key))
  })
  expect(undescribed.map((pair) => pair.join(' '))).toEqual([])
})
