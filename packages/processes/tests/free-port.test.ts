import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { freePort, isFreePort } from '../src/index.ts'

it('freePort can be listened on, and is none that a system gives to whoever asks for any', async () => {
  const port = await freePort()
  expect(port).toBeGreaterThanOrEqual(15_000)
  // Where those of Linux begin; others begin later.
  expect(port).toBeLessThan(32_768)
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  expect(await isFreePort(port)).toBe(false)
  server.close()
  await once(server, 'close')
  expect(await isFreePort(port)).toBe(true)
})
