import { describe, expect, it } from 'vitest'
import { missingLine, stepsOf } from './guide.ts'

describe('the steps of a guide', () => {
  it('are its files and commands, with what these print', () => {
    const guide = [
      'Text.',
      '```ts src/a.ts\nconst a = 1\n```',
      '```diff src/a.ts\n const b = 1\n-const c = 1\n+const c = 2\n```',
      '```sh background\nnode src/a.ts\n```',
      '```text\nready\n```',
      '```sh\ncurl -s x\n```',
      '```text background\nasked\n```',
      '```sh registry background\nnpm create x\n```',
      '```sh cluster\nkubectl get pods\n```',
    ].join('\n\n')
    expect(stepsOf(`${guide}\n`)).toEqual([
      { kind: 'file', path: 'src/a.ts', content: 'const a = 1\n' },
      {
        kind: 'change',
        path: 'src/a.ts',
        before: 'const b = 1\nconst c = 1\n',
        after: 'const b = 1\nconst c = 2\n',
      },
      { kind: 'commands', commands: 'node src/a.ts\n', isBackground: true, expected: ['ready'] },
      { kind: 'commands', commands: 'curl -s x\n', isBackground: false, expected: [] },
      { kind: 'output', expected: ['asked'] },
      { kind: 'commands', commands: 'npm create x\n', isBackground: true, needsRegistry: true, expected: [] },
    ])
  })

  it.each(['```ts\nlost()\n```\n', '```text\nof nothing\n```\n', '```ts /etc/passwd\n```\n'])('are not %j', (block) => {
    expect(() => stepsOf(block)).toThrow(RangeError)
  })
})

describe('what commands should print', () => {
  it.each([
    ['a\nb\nc\n', ['a', 'c'], undefined],
    ['a\nb\n', ['b', 'a'], 'a'],
    ['abc\n', ['a…c'], undefined],
    ['ab\n', ['a'], 'a'],
    ['a.c\n', ['a.c'], undefined],
    ['abc\n', ['a.c'], 'a.c'],
    ['a\n', ['a', 'a'], 'a'],
  ])('in %j %j misses %j', (output, expected, missing) => {
    expect(missingLine(output, expected)).toBe(missing)
  })
})
