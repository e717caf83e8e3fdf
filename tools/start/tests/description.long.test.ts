import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitFor } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { makeSurroundings, runStartIn, waitUntilReady } from './fixtures/system.ts'
import { copyWorkspace } from './fixtures/workspace.ts'

it('decisions 3.149: this system is started again at its addresses, with its key, and with the session of its console', async () => {
  await using place = await makeSurroundings()
  await using workspace = await copyWorkspace()
  await using start = runStartIn(workspace.root, place.variables)
  await waitUntilReady(start)
  const key = () => readFile(join(place.variables['TAPROOM_STATE_DIR'] ?? '', 'keys/public-key.pem'), 'utf8')
  const [, console, secret] = /(http:\S+\/)#session=(\S{40,})/.exec(start.stderr()) ?? []
  const consoleAnswers = () =>
    waitFor('the console', async () => {
      const headers = { authorization: `Bearer ${secret}` }
      const response = await fetch(`${console}api/services`, { headers }).catch(() => undefined)
      return response?.status === 200
    })
  const tracedGateways = () => start.stdout().match(/"service":"gateway".*"traces are exported"/g)?.length ?? 0
  await consoleAnswers()
  await waitFor('traces', () => tracedGateways() === 1)
  const before = await key()

  await workspace.edit('system.ts', "serves: ['/secure/claim']", "serves: ['/secure/claim', '/claim']")
  await waitFor('the second start', () => start.stderr().match(/^(ready|up, but not ready:.*;) http/gm)?.length === 2)
  // The gateway leads to claim-api, which has no such path.
  const answer = await fetch(`${place.url}/claim`)
  expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ status: 404 })])
  expect((await fetch(`${place.url}/secure/claim`)).status).toBe(401)
  expect(await key()).toBe(before)
  await consoleAnswers()
  await waitFor('traces', () => tracedGateways() === 2)
})
