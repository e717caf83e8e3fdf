/** Up to about 90 trillion a double holds cents exactly. */
export const MAX_AMOUNT = Number.MAX_SAFE_INTEGER / 100

/**
 * Rounds half up (away from zero) by the number's decimal digits: 1.005 gives 101, although the double is slightly less, as Java's
 * `BigDecimal.valueOf(1.005).setScale(2, HALF_UP)` does.
 */
export function toCents(amount: number): number {
  const [digits, exponent = '0'] = String(Math.abs(amount)).split('e')
  const cents = Math.round(Number(`${digits}e${Number(exponent) + 2}`))
  return amount < 0 && cents > 0 ? -cents : cents
}

/** Two fraction digits, always: 1250 gives `12.50`. */
export function formatCents(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
