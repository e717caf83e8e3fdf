import { expect, it } from 'vitest'
import { ranked } from '../page/palette/ranked.ts'

const finds = [
  ['action', 'Restart beer-stream'],
  ['topic', 'priced-beer'],
  ['topic', 'beer'],
  ['service', 'beer-generator'],
  ['topic', 'rebeers'],
  ['action', 'film-standin: Failing', 'the breaker opens'],
].map(([kind = '', name = '', detail]) => ({ id: name, kind, name, detail, to: '#/' }))
const names = (text: string) => ranked(finds, text).map(({ name }) => name)

it.each([
  ['beer', ['beer', 'beer-generator', 'Restart beer-stream', 'priced-beer', 'rebeers']],
  ['BEER topic', ['priced-beer', 'beer', 'rebeers']],
  ['re be', ['Restart beer-stream', 'rebeers']],
  ['open breaker', ['film-standin: Failing']],
  ['no such thing', []],
])('%s finds %j, the best name first', (text, found) => {
  expect(names(text)).toEqual(found)
})

it('all are found by no text, in their order', () => {
  expect(ranked(finds, ' ')).toBe(finds)
})
