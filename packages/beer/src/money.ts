/** The largest amount whose cents a double still holds exactly: about 90 trillion. */
export const maxAmount = Number.MAX_SAFE_INTEGER / 100

/**
 * An amount in whole cents, rounded half up (away from zero), from the decimal digits the number is written with: 1.005
 * gives 101 although the double lies a hair below, as Java's `BigDecimal.valueOf(1.005).setScale(2, HALF_UP)` does.
 */
export function toCents(amount: number): number {
  const [digits, exponent = '0'] = String(Math.abs(amount)).split('e')
  const cents = Math.round(Number(`${digits}e${Number(exponent) + 2}`))
  return amount < 0 && cents > 0 ? -cents : cents
}

/** Whole cents as decimal text with exactly two fraction digits: 1250 gives `12.50`. */
export function formatCents(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
