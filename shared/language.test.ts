import { expect, it } from 'vitest'
import { languages, preferredLanguage } from './language.ts'

it('the languages and their ids never change', () => {
  expect(Object.fromEntries(languages.map(({ id, code }) => [id, code]))).toEqual({
    0: 'ru',
    1: 'uk',
    3: 'en',
    4: 'es',
    6: 'de',
    15: 'pl',
    16: 'fr',
    82: 'tr',
  })
})

it.each([
  ['de-AT,de;q=0.9,en;q=0.5', 'de'],
  ['nl,fr;q=0.3,pl;q=0.8', 'pl'],
  ['en;q=0,tr', 'tr'],
  ['*', 'en'],
  ['', 'en'],
  [';;;,,q=', 'en'],
  [undefined, 'en'],
])('Accept-Language %s selects %s', (header, code) => {
  expect(preferredLanguage(header).code).toBe(code)
})
