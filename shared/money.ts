/** Number of minor unit digits of most currencies. */
export const usualDigits = 2

/**
 * Number of minor unit digits per ISO 4217 where it is not two. Intl cannot be used, because it follows cash rounding:
 * it shows 1,999.00 HUF as 199,900.
 */
export const minorUnits: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  CLF: 4,
  UYW: 4,
}

/**
 * Formats an amount in the smallest unit of its currency for a locale. An unknown currency is shown by its code.
 * `isRound` leaves out a fraction of zero, as on an axis.
 */
export function formatMoney(amount: number, currency: string, locale: string, isRound = false): string {
  const digits = minorUnits[currency] ?? usualDigits
  try {
    const options = {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      ...(isRound && { trailingZeroDisplay: 'stripIfInteger' as const }),
    } as const
    return new Intl.NumberFormat(locale, options).format(amount / 10 ** digits)
  } catch {
    return `${amount} ${currency}`.trim()
  }
}
