import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type ReadableLineOptions, readableLine } from './index.ts'

const read = (fields: Readonly<Record<string, unknown>>, options?: ReadableLineOptions) =>
  stripVTControlCharacters(readableLine({ time: '2026-01-02T03:04:05.678Z', ...fields }, options))

describe('readableLine', () => {
  it('has time, service, level, message and everything else', () => {
    expect(read({ level: 'warn', msg: 'slow', pid: 1, ms: 5, why: 'load' }, { service: 'movie-api' })).toBe(
      '03:04:05.678 movie-api        warn  slow ms=5 why=load',
    )
  })

  it('tells an error by its message, and its stack indented when it is asked to', () => {
    const err = { message: 'late\nforged', stack: 'Error: late\nforged\n    at x' }
    expect(read({ level: 'error', msg: 'failed', err })).toBe('03:04:05.678 error failed err="late\\nforged"')
    expect(read({ level: 'error', msg: 'failed', err }, { stacks: true }).split('\n').slice(1)).toEqual([
      '    Error: late',
      '    forged',
      '        at x',
    ])
  })

  it.each(['msg', 'level', 'time', 'name of a field', 'service'])('shows what is hidden in the %s', (where) => {
    const nasty = 'a\u001b]0;x\u0007\n\u202e\u2028'
    const fields = where === 'name of a field' ? { [nasty]: { [nasty]: nasty } } : { [where]: nasty }
    const line = readableLine(fields, { service: where === 'service' ? nasty : 'x' })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of this line, and nothing else, are commands
    expect(line.replaceAll(/\u001b\[\d+m/g, '')).not.toMatch(/[\p{Cc}\u202e\u2028]/u)
  })

  it('cuts what is too long to be read', () => {
    expect(read({ msg: 'x'.repeat(1_000_000) }).length).toBeLessThan(20_000)
  })

  it('takes a level of any name', () => {
    expect(read({ msg: 'm', level: 'constructor' })).toBe('03:04:05.678 constructor m')
  })

  it('shows values that have no JSON', () => {
    expect(read({ msg: 'm', a: undefined, b: null })).toBe('03:04:05.678 info  m a=undefined b=null')
  })
})
