import { expect, it } from 'vitest'
import { askParts } from './ask-parts.ts'

it('askParts asks until the parts can be read, and takes nothing for http', async () => {
  const answers = ['htpp', 'database,health', '']
  const asked: string[] = []
  const terminal = {
    async question(prompt: string) {
      asked.push(prompt)
      return answers.shift() ?? ''
    },
  }
  expect(await askParts(terminal)).toEqual(new Set(['database', 'health', 'http']))
  expect(asked[1]).toContain('"htpp" is no part: expected http, jwt')
  expect(await askParts(terminal)).toEqual(new Set(['http']))
})
