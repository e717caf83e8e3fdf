import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that systems give to servers and connections that ask for any: until it is listened on, nobody is given this one. */
const [FIRST, LAST] = [15_000, 32_000]
const TRIES = 100

/** A port that was free a moment ago, for servers that cannot choose one themselves. Rejects when a hundred are not. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(FIRST, LAST)
    if (await isFree(port)) return port
  }
  throw new Error(`none of ${TRIES} ports from ${FIRST} on is free`)
}

async function isFree(port: number): Promise<boolean> {
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
