import { NewUsageError } from '@taproom/cli/new'
import { describe, expect, it } from 'vitest'
import { readArguments } from './arguments.ts'

describe('readArguments', () => {
  it('reads the name', () => {
    expect(readArguments(['wine-shop'])).toEqual({ name: 'wine-shop', help: false })
    expect(readArguments(['-h'])).toMatchObject({ help: true })
  })

  it.each([
    [[], 'expected one name'],
    [['a', 'b'], 'expected one name'],
    [['.'], '"." cannot be a name'],
    [['../a'], '"../a" cannot be a name'],
    [['Shop'], '"Shop" cannot be a name'],
    [['a'.repeat(41)], 'at most 40'],
    [['taproom'], 'the name of the packages'],
    [['shop', '--template', 'x'], '--template'],
  ])('refuses %j, and says why', (args, message) => {
    expect(() => readArguments(args)).toThrow(NewUsageError)
    expect(() => readArguments(args)).toThrow(message)
  })
})
