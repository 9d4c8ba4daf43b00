import { describe, expect, it } from 'vitest'
import { metadataLines, readMetadata } from './metadata.ts'

describe('metadata as lines', () => {
  it.each([[{ plan: 'pro', 'a b': 'c=d' }], [{ text: 'two\nlines', path: String.raw`C:\new` }], [{}]])(
    '%j is parsed as it was written',
    (metadata) => {
      expect(readMetadata(metadataLines(metadata))).toEqual(metadata)
    },
  )

  it('a line without a key or a value makes the metadata invalid', () => {
    expect(readMetadata('plan')).toBeUndefined()
    expect(readMetadata('=pro')).toBeUndefined()
    expect(readMetadata('\n plan = pro \n')).toEqual({ plan: 'pro' })
  })
})
