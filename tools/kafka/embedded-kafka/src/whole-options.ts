import { OptionError } from './errors.ts'
import { type FlushLimits, SELDOM } from './storage/flushing.ts'

/** @throws {OptionError} when an option is not a whole number in its range */
export function whole(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new OptionError(`${name} must be a whole number from ${min} to ${max}, got ${value}`)
}

/** When everything is flushed to the device. */
export function flushOf({
  flushMessages,
  flushMs,
}: {
  readonly flushMessages?: number
  readonly flushMs?: number
}): FlushLimits {
  const most = Number.MAX_SAFE_INTEGER
  return {
    everyCount: flushMessages === undefined ? SELDOM.everyCount : whole('flushMessages', flushMessages, 1, most),
    everyMs: flushMs === undefined ? SELDOM.everyMs : whole('flushMs', flushMs, 0, most),
  }
}
