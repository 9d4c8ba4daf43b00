import { expect, it } from 'vitest'
import { suggestEmail, webmailUrlOf } from './webmail.ts'

it.each([
  ['ada@gmial.com', 'ada@gmail.com'],
  ['ada@gmail.con', 'ada@gmail.com'],
  ['Ada@Hotmial.com', 'Ada@hotmail.com'],
  ['ada@outlok.com', 'ada@outlook.com'],
  ['ada@gmail.com', undefined],
  ['ada@company.example', undefined],
  ['ada@ma.ru', undefined],
  ['ada@me.co', undefined],
  ['@gmial.com', undefined],
  ['ada', undefined],
])('for %s the address that was probably meant is %s', (typed, meant) => {
  expect(suggestEmail(typed)).toBe(meant)
})

it('a mailbox is recognized by its domain', () => {
  expect(webmailUrlOf('Ada@Gmail.com')).toBe('https://mail.google.com/')
  expect(webmailUrlOf('ada@company.example')).toBeUndefined()
})
