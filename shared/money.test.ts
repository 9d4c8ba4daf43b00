import { expect, it } from 'vitest'
import { formatMoney } from './money.ts'

it.each([
  [199_900, 'HUF', 'HUF 1,999.00'],
  [1_500_000, 'IDR', 'IDR 15,000.00'],
  [250_000, 'COP', 'COP 2,500.00'],
  [5_000, 'PKR', 'PKR 50.00'],
  [12_345, 'IQD', 'IQD 12.345'],
  [1_900, 'EUR', '€19.00'],
  [1_900, 'JPY', '¥1,900'],
  [1_234, 'KWD', 'KWD 1.234'],
  [500, 'UGX', 'UGX 500'],
  [-500, 'USD', '-$5.00'],
])('%d in the smallest unit of %s is %s (ISO 4217)', (amount, currency, text) => {
  expect(formatMoney(amount, currency, 'en').replaceAll('\u00A0', ' ')).toBe(text)
})

it('keeps the code of an unknown currency', () => {
  expect(formatMoney(5, 'tokens', 'en')).toBe('5 tokens')
})
