import { expect, it } from 'vitest'
import { askParts } from './ask-parts.ts'

it('askParts asks until the parts can be read, and takes nothing for http', async () => {
  const answers = ['htpp', 'jwt,health', '']
  const asked: string[] = []
  const terminal = {
    async question(prompt: string) {
      asked.push(prompt)
      return answers.shift() ?? ''
    },
  }
  expect(await askParts(terminal)).toEqual(new Set(['jwt', 'health', 'http']))
  expect(asked[1]).toContain('"htpp" is no part: expected http, jwt')
  expect(await askParts(terminal)).toEqual(new Set(['http']))
})
