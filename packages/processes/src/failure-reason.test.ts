import { describe, expect, it } from 'vitest'
import { failureReason } from './failure-reason.ts'

const fatal = (fields: object) => JSON.stringify({ level: 'fatal', msg: 'x failed to start', ...fields })

describe('failureReason', () => {
  it.each<[string, string[], string | undefined]>([
    ['the problems of a fatal line', [fatal({ problems: ['A="1": no', 'B="2": no'] })], 'A="1": no; B="2": no'],
    ['the message of its error', [fatal({ err: { message: 'disk full', stack: 's' } })], 'disk full'],
    ['its message', [fatal({})], 'x failed to start'],
    ['the fatal line before later ones', [fatal({ err: { message: 'first' } }), 'bye'], 'first'],
    [
      'the error that Node prints',
      [
        '/srv/a.ts:3',
        "throw new Error('x')",
        '^',
        '',
        'TypeError: a is not a function',
        '    at a.ts:3',
        '',
        'Node.js v24',
      ],
      'TypeError: a is not a function',
    ],
    ['an error with a code', ['AppError [E_CODE]: broken', '    at a.ts:3'], 'AppError [E_CODE]: broken'],
    ['the last line with text', ['first', 'cannot open config', ' ', 'Node.js v24.1.0'], 'cannot open config'],
    ['nothing where nothing was written', ['', ' '], undefined],
    ['a cut line of JSON as it is', ['{"level":"fatal","msg":"x'], '{"level":"fatal","msg":"x'],
    ['JSON of null, numbers and other levels', ['{"level":"warn","msg":"slow"}'], '{"level":"warn","msg":"slow"}'],
    ['an error that is null', [fatal({ err: null })], 'x failed to start'],
    ['no control characters', ['Error: \u001b[31mred'], 'Error: \\u001b[31mred'],
  ])('is %s', (_case, lines, reason) => {
    expect(failureReason(lines)).toBe(reason)
  })

  it('is cut after 300 characters', () => {
    expect(failureReason([`Error: ${'x'.repeat(1000)}`])).toBe(`Error: ${'x'.repeat(293)}… (707 more characters)`)
  })
})
