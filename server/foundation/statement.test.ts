import { describe, expect, it } from 'vitest'
import { statement } from './statement.ts'

describe('a statement', () => {
  it('numbers its parameters, and a repeated one only once', () => {
    const find = statement('things.find', 'select * from "Thing" where a = :a and (b = :b or c = :a::text)')
    expect(find({ b: 2, a: 'one' })).toEqual({
      name: 'things.find',
      text: 'select * from "Thing" where a = $1 and (b = $2 or c = $1::text)',
      values: ['one', 2],
    })
  })

  it('takes the fields of an object', () => {
    const find = statement('things.find', 'select :thing.id, :thing.at::timestamptz where b = :thing.id')
    const thing = { id: 'one', at: null }
    expect(find({ thing }).text).toBe('select $1, $2::timestamptz where b = $1')
    expect(find({ thing }).values).toEqual(['one', null])
    expect(() => statement('things.find', 'select :thing.id, :thing')).toThrow('uses thing as a whole')
    for (const wrong of [{}, { thing: null }, { thing: 'one' }])
      expect(() => find(wrong)).toThrow('The statement things.find needs the parameter thing.id')
    const incomplete = { thing: { id: 'one' } }
    expect(() => find(incomplete)).toThrow('The statement things.find needs the parameter thing.at')
  })

  it('leaves casts, strings, quoted names and comments alone', () => {
    const text = `select '{"a":true}'::jsonb, to_char(now(), 'HH24:MI:SS') as "at:noon" -- not :this`
    expect(statement('things.shown', text)({})).toEqual({ name: 'things.shown', text, values: [] })
  })

  it('is refused without one of its parameters', () => {
    const find = statement('things.find', 'select :a, :b')
    expect(() => find({ a: 1 })).toThrow('The statement things.find needs the parameter b')
    expect(find({ a: 1, b: undefined }).values).toEqual([1, undefined])
  })
})
