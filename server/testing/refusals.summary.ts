import { expect, it } from 'vitest'
import { refusals } from '../../shared/errors.ts'
import { always, describeApi, ofCredentials, ofPosts, ofQueries } from '../http/openapi.ts'
import { refusalsByCall } from '../http/refusals-by-call.ts'
import { provokedByCall, provokedRefusals } from './refusals.ts'

/** Refusals that no test can provoke through a transport, each with the reason. */
const unprovoked = new Set<string>([
  // For server code alone; its test calls the function.
  'USER_ALREADY_HAS_A_PASSWORD',
  // Stands in for callback codes that a sign-in by id_token does not produce.
  'SOCIAL_FAILED_TO_GET_USER_INFO',
])

// Runs after all others, in a whole run alone: each refusal of the catalogue was an answer to some call.
it('every refusal of the catalogue was provoked', () => {
  const provoked = provokedRefusals()
  const missing = Object.keys(refusals).filter((key) => !provoked.has(key) && !unprovoked.has(key))
  expect(missing).toEqual([])
  expect([...unprovoked].filter((key) => provoked.has(key))).toEqual([])
})

// The description of the API names every refusal of a call.
it('every refusal of a call is among those that are described', () => {
  const common = new Set<string>([...always, ...ofPosts, ...ofQueries, ...ofCredentials])
  const served = JSON.stringify(describeApi({ appOrigin: 'http://localhost', basePath: '/api/auth' }, '0'))
  const undescribed = provokedByCall().filter(
    ([path, key]) =>
      served.includes(`"operationId":"${path}"`) &&
      !common.has(key) &&
      !refusalsByCall[path]?.some((known) => known === key),
  )
  expect(undescribed.map((pair) => pair.join(' '))).toEqual([])
})
