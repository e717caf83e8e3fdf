import { isRecord } from '../storage/shapes.ts'

/** For tables of settings: whether a value is what this broker wrote, by the check that it makes before it writes one. */
export function storedConfigCheck(check: (config: Readonly<Record<string, string>>) => void) {
  return (_id: string, value: unknown): boolean => {
    if (!isRecord(value) || !Object.values(value).every((each) => typeof each === 'string')) return false
    try {
      check(value as Readonly<Record<string, string>>)
      return true
    } catch {
      return false
    }
  }
}
