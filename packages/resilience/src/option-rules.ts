import { InvalidOptionError } from './errors.ts'

/** Checks the options of one policy. Each function throws an {@link InvalidOptionError} when the rule is broken. */
export function optionRules(owner: string) {
  const rule = (option: string, value: unknown, valid: boolean, text: string) => {
    if (!valid) throw new InvalidOptionError(owner, option, text, value)
  }
  return {
    rule,
    integer(option: string, value: number, min: number): number {
      rule(option, value, Number.isSafeInteger(value) && value >= min, `an integer of at least ${min}`)
      return value
    },
    duration(option: string, value: number): number {
      // Beyond 2^31 - 1 ms setTimeout fires at once.
      rule(option, value, Number.isFinite(value) && value >= 0 && value < 2 ** 31, 'from 0 to 2147483647 ms')
      return value
    },
    ratio(option: string, value: number): number {
      rule(option, value, value >= 0 && value <= 1, 'from 0 to 1')
      return value
    },
  }
}
