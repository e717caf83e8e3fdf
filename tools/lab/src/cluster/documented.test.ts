import { expect, it } from 'vitest'
import { documentedCommands } from './documented.ts'

const PAGE = [
  '# A page',
  '## One',
  '```sh',
  'a',
  'b',
  '```',
  '### Below',
  '```sh',
  'c',
  '```',
  '## Two',
  '```sh',
  'd',
  '```',
  '```sql',
  'e',
  '```',
  '',
].join('\n')

it('has the commands under a heading and those below it, and no others', () => {
  expect(documentedCommands(PAGE, '## One')).toEqual(['a', 'b', 'c'])
  expect(documentedCommands(PAGE, '### Below')).toEqual(['c'])
  expect(documentedCommands(PAGE, '## Two')).toEqual(['d'])
})

it('has those in another language', () => {
  expect(documentedCommands(PAGE, '## Two', 'sql')).toEqual(['e'])
})

it('says which heading is not there, or has no command', () => {
  expect(() => documentedCommands(PAGE, '## Three')).toThrow('no heading "## Three"')
  expect(() => documentedCommands('\n## One\ntext', '## One')).toThrow('nothing to run stands under "## One"')
})
