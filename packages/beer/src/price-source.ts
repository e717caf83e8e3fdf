import { MAX_AMOUNT, toCents } from './money.ts'

/** Bounds of {@link createPriceSource}, in whole cents; both can be drawn. */
export interface PriceSourceOptions {
  readonly min: number
  readonly max: number
  /** A uniform draw from [0, 1). Default `Math.random`. */
  readonly random?: () => number
}

/**
 * Makes a source of prices: each call draws one, uniformly in whole cents, from `min` to `max` inclusive.
 *
 * @throws {RangeError} when a bound is negative, has fractions of a cent or exceeds about 90 trillion, or `min` exceeds `max`
 */
export function createPriceSource({ min, max, random = Math.random }: PriceSourceOptions): () => number {
  const minCents = wholeCents('min', min)
  const maxCents = wholeCents('max', max)
  if (minCents > maxCents) throw new RangeError(`min must not exceed max, received ${min} and ${max}`)
  const choices = maxCents - minCents + 1
  return () => (minCents + Math.floor(random() * choices)) / 100
}

function wholeCents(name: string, amount: number): number {
  if (!(amount >= 0 && amount <= MAX_AMOUNT))
    throw new RangeError(`${name} must be within 0 and ${MAX_AMOUNT}, received ${amount}`)
  const cents = toCents(amount)
  if (cents / 100 !== amount) throw new RangeError(`${name} must be in whole cents, received ${amount}`)
  return cents
}
