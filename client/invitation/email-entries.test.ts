import { expect, it } from 'vitest'
import { emailEntriesOf } from './email-entries.ts'

const textsOf = (typed: string) => emailEntriesOf(typed).map(({ text }) => text)

it.each([
  ['ann@example.test', ['ann@example.test']],
  [
    'Ann@Example.test, bob@example.test;carl@example.test\ndora@example.test',
    ['ann@example.test', 'bob@example.test', 'carl@example.test', 'dora@example.test'],
  ],
  ['"Name Surname" <name@example.test>', ['name@example.test']],
  ['Name Surname <name@example.test>, Other <other@example.test>', ['name@example.test', 'other@example.test']],
  ['"Surname, Name" <name@example.test>; plain@example.test', ['name@example.test', 'plain@example.test']],
  ['<name@example.test>', ['name@example.test']],
  ['ann@example.test ann@example.test', ['ann@example.test']],
  ['  ', []],
])('the addresses of %j are %j', (typed, addresses) => {
  expect(textsOf(typed)).toEqual(addresses)
})

it('an invalid address stays, and is marked', () => {
  expect(emailEntriesOf('ann@example.test, bob@exa')).toEqual([
    { text: 'ann@example.test', isValid: true },
    { text: 'bob@exa', isValid: false },
  ])
})
