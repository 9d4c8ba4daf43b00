import { isRecord } from '../foundation/records.ts'
import type { VerifiedCredential } from '../request/bearer.ts'
import type { Meta, OtherCaller } from './trpc.ts'

/** A call as its guards see it. Only calls that are open to API keys need their input here. */
export type Call = { meta: Meta | undefined; type: string; getRawInput?: () => Promise<unknown> }

/** Whether a call is open to a kind of caller besides a user in a browser. */
export function isOpenTo({ meta }: Pick<Call, 'meta'>, caller: OtherCaller): boolean {
  return meta?.openTo?.includes(caller) ?? false
}

/** Whether a token or API key permits a call. A browser with its cookie may make every call. */
export async function isInScope(verifiedCredential: VerifiedCredential | undefined, call: Call): Promise<boolean> {
  if (!verifiedCredential) return true
  if (!isOpenTo(call, verifiedCredential.kind)) return false
  if (verifiedCredential.kind === 'access_token') return true
  if (!isPermitted(verifiedCredential, call)) return false
  return (await isWithin(verifiedCredential, call)) && (await grantsOnlyMembership(verifiedCredential, call))
}

type ApiKey = Extract<VerifiedCredential, { kind: 'api_key' }>

/**
 * Whether an API key that is limited to permissions has the one that a call needs. It may read without, but change only
 * what its permissions name.
 */
function isPermitted({ permissions }: ApiKey, { type, meta }: Call): boolean {
  if (permissions === null) return true
  if (!meta?.requiredPermission) return type === 'query'
  const [resource, action] = meta.requiredPermission
  const actions = permissions[resource]
  return Array.isArray(actions) && actions.includes(action)
}

/** Permissions would not limit a key that could make someone an owner or administrator. */
async function grantsOnlyMembership({ permissions }: ApiKey, { meta, getRawInput }: Call): Promise<boolean> {
  if (permissions === null || !meta?.grantsRole) return true
  const input = await getRawInput?.()
  const role: unknown = isRecord(input) ? input['role'] : undefined
  return [role].flat().every((one) => one === 'member')
}

/** Whether a call stays within the organization that a key is limited to, as ensured by its guard or by its input. */
async function isWithin({ organizationId }: ApiKey, { meta, getRawInput }: Call): Promise<boolean> {
  if (organizationId === null || meta?.organizationScope === true) return true
  if (meta?.organizationScope === undefined) return false
  const input = await getRawInput?.()
  return isRecord(input) && input['organizationId'] === organizationId && !('organizationSlug' in input)
}
