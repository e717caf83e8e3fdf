import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that systems give to servers and connections that ask for any: until it is listened on, nobody is given this one. */
const [FIRST, LAST] = [15_000, 32_000]
const TRIES = 100

/** A port of 127.0.0.1 that was free a moment ago, for a process that is told its port. Rejects when a hundred are not. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(FIRST, LAST)
    if (await isFreePort(port)) return port
  }
  throw new Error(`none of ${TRIES} ports from ${FIRST} on is free`)
}

/** Whether a port of 127.0.0.1 could be listened on a moment ago. */
export async function isFreePort(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
