import { describe, expect, it } from 'vitest'
import { ruledOutWords } from './ruled-out-words.ts'

const messages = (path: string, ...lines: readonly string[]) =>
  ruledOutWords(path, lines.join('\n'), () => true).map(({ line, message }) => `${line} ${/"(.*)"/.exec(message)?.[1]}`)

describe('ruledOutWords', () => {
  it.each([
    ['// The client is told why.', '1 told'],
    ["log.info('nobody asks')", '1 nobody'],
    ['// This is no list.', '1 is no l'],
    ['// Of all clients.', '1 Of'],
    ['  /** Whether it is open. */', '1 Whether'],
    ['# Those that wait.', '1 Those'],
  ])('finds %s', (line, found) => {
    expect(messages('a.ts', line)).toEqual([found])
  })

  it('finds the opening of a block comment in its second line', () => {
    expect(messages('a.ts', '/**', ' * What it does.', ' * So it ends.', ' */')).toEqual(['2 What'])
  })

  it.each([
    ['an absence', '// While there is no topic, nothing is read.'],
    ['a name of several words', 'interface SomeBody {}'],
    ['a longer word', '// The storyteller mentions a mendicant, and is no longer here.'],
    ['a comment that goes on', '// The list has all\n// Of these.'],
    ['a heading of a page', '# What it is'],
  ])('accepts %s', (name, text) => {
    expect(messages(name === 'a heading of a page' ? 'a.md' : 'a.ts', ...text.split('\n'))).toEqual([])
  })

  it('checks the given lines only', () => {
    expect(ruledOutWords('a.md', 'anew\nanew', (line) => line === 2).map(({ line }) => line)).toEqual([2])
  })
})
