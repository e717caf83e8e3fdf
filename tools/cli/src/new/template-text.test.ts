import { describe, expect, it } from 'vitest'
import { chosenText } from './template-text.ts'

const TEXT = `const all = {
  // begin jwt
  token,
  // begin database
  both,
  // end
  // end
  // begin incoming|database
  either,
  // end
}
call(/* begin jwt */ token /* end */)`

describe('chosenText', () => {
  it.each([
    [[], 'const all = { }\ncall()'],
    [['jwt'], 'const all = { token,\n}\ncall( token)'],
    [['database'], 'const all = { either,\n}\ncall()'],
    [['jwt', 'database'], 'const all = { token,\n  both,\n  either,\n}\ncall( token)'],
  ])('with %j leaves what is for these parts', (parts, text) => {
    expect(chosenText(TEXT, new Set(parts))).toBe(text)
  })

  it.each(['// begin jwt\na', 'a\n// end'])('refuses a mark without its other end: %j', (text) => {
    expect(() => chosenText(text, new Set())).toThrow(RangeError)
  })
})
