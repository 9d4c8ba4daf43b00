/** Digits of the minor units of most currencies. */
export const usualDigits = 2

/**
 * Digits of the minor units of currencies by ISO 4217 where they are not two. Not those of Intl, which follow the habits of cash:
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

/** An amount in the smallest unit of its currency, formatted for a locale; an unknown currency keeps its code. */
export function formatMoney(amount: number, currency: string, locale: string): string {
  const digits = minorUnits[currency] ?? usualDigits
  try {
    const options = {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    } as const
    return new Intl.NumberFormat(locale, options).format(amount / 10 ** digits)
  } catch {
    return `${amount} ${currency}`.trim()
  }
}
