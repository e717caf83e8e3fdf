import { describe, expect, it } from 'vitest'
import { UsageError } from '../harness/command-line.ts'
import { readCommand } from './options.ts'

const KNOWN = { areas: ['claim', 'kafka', 'films'], onlyNamed: ['kafka'], curves: ['tokens', 'films'] }
const read = (...args: string[]) => readCommand(args, KNOWN)

describe('readCommand', () => {
  it('takes all areas but those that must be named', () => {
    expect(read()).toEqual({ kind: 'areas', names: ['claim', 'films'], isJson: false })
  })

  it('takes the named areas, each once', () => {
    const names = ['kafka', 'claim']
    expect(read('kafka', '--json', 'claim', 'kafka', '--rounds', '3')).toEqual({
      ...{ kind: 'areas', names, isJson: true, rounds: 3 },
    })
  })

  it('compares with a commit, in seven rounds', () => {
    const command = { kind: 'compare', ref: 'HEAD~2', names: ['claim'], rounds: 7 }
    expect(read('--compare', 'HEAD~2', 'claim')).toEqual(command)
    expect(read('--compare', 'HEAD~2', 'claim', '--rounds=6')).toEqual({ ...command, rounds: 6 })
  })

  it('measures growth, of all curves or of those that are named', () => {
    const command = { kind: 'growth', names: ['tokens', 'films'], rounds: 7, isWritten: false }
    expect(read('--growth')).toEqual(command)
    expect(read('--growth', 'films', '--write', '--rounds=2')).toEqual({
      ...{ ...command, names: ['films'], rounds: 2, isWritten: true },
    })
  })

  it.each([
    ['an unknown area', ['beer'], /no area beer: there are claim, kafka, films/],
    ['an area that every object has', ['constructor'], /no area constructor/],
    ['an unknown option', ['--fast'], /Unknown option '--fast'/],
    ['no round', ['--rounds', '0'], /--rounds=0: expected a whole number/],
    ['a part of a round', ['--rounds', '1.5'], /--rounds=1.5: expected a whole number/],
    ['too few rounds to compare', ['--compare', 'HEAD', '--rounds', '5'], /--rounds=5: with --compare at least 6/],
    ['two kinds of output', ['--compare', 'HEAD', '--json'], /--compare and --json do not go together/],
    ['two things to measure', ['--compare', 'HEAD', '--growth'], /--compare and --growth do not go together/],
    ['an unknown curve', ['--growth', 'claim'], /no curve claim: there are tokens, films/],
    ['nothing to be written', ['--write'], /--write is for --growth/],
  ])('refuses %s', (_, args, message) => {
    expect(() => read(...args)).toThrow(UsageError)
    expect(() => read(...args)).toThrow(message)
  })
})
