import { startHttpServer } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { createHttpTarget } from '../../src/fuzz/servers/http-target.ts'
import { createRandom } from '../../src/harness/random.ts'

it.each([
  [200, 'forged-caller', ['wrong']],
  [401, 'forged-caller', []],
  [200, 'duke', []],
])('an answer %i %s to an input is judged by what only forged tokens claim', async (status, body, kinds) => {
  await using opened = new AsyncDisposableStack()
  const { port } = opened.use(await startHttpServer((_, response) => response.writeHead(status).end(body)))
  const plain = { method: 'GET', path: '/' }
  const options = { port, plain, example: () => plain, expectations: [], errors: [], forgedClaim: 'forged-caller' }
  const target = createHttpTarget(options, opened)
  const sent = await Promise.all(
    Array.from({ length: 5 }, (_, number) => target.input(createRandom('x', 1, number)).send()),
  )
  expect([...new Set(sent.flat().map(({ kind }) => kind))]).toEqual(kinds)
})
