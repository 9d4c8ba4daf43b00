import type { KeyPermission } from '../../shared/api-key.ts'

type KeyOf<Name extends string> = Name extends `${infer Resource}.${infer Action}` ? `${Resource}_${Action}` : never

/** A permission as a key of the texts, where a dot would separate groups. */
export function permissionKey<Name extends KeyPermission>(name: Name): KeyOf<Name> {
  return name.replace('.', '_') as KeyOf<Name>
}
