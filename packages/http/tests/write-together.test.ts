import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { writeTogether } from '../src/index.ts'

const opened: { destroy(): void }[] = []
afterEach(() => {
  for (const each of opened.splice(0)) each.destroy()
})

/** Connections, and what their other sides have read. */
async function connections(count: number): Promise<{ readonly sockets: readonly Socket[]; readonly texts: string[] }> {
  const texts: string[] = []
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  for (let index = 0; index < count; index += 1) {
    const client = connect(port, '127.0.0.1')
    const [[socket]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [[Socket], unknown]
    client.on('data', (bytes) => {
      texts[index] = (texts[index] ?? '') + String(bytes)
    })
    socket.on('error', () => {})
    sockets.push(writeTogether(socket))
    opened.push(client, socket)
  }
  server.close()
  return { sockets, texts }
}

/** Of how many the system has something: what waits here is not counted by a socket. */
const written = (sockets: readonly Socket[]) => sockets.filter(({ bytesWritten }) => bytesWritten > 0).length

describe('writeTogether', () => {
  it('decisions 3.132: writes what was written in a turn of the event loop at its end, sixteen at a time', async () => {
    const { sockets, texts } = await connections(20)
    sockets.slice(0, 15).forEach((socket) => {
      socket.write('a')
    })
    expect(written(sockets)).toBe(0)
    sockets[15]?.write('a')
    expect(written(sockets)).toBe(16)
    sockets.slice(16).forEach((socket) => {
      socket.write('a')
    })
    expect(written(sockets)).toBe(16)
    await nextTurn()
    expect(written(sockets)).toBe(20)
    await expect.poll(() => texts).toEqual(Array(20).fill('a'))
  })

  it('keeps the order of one connection, and calls back once each part is written', async () => {
    const { sockets, texts } = await connections(2)
    const [first, second] = sockets
    const called: string[] = []
    for (const part of ['a', 'b', 'c']) first?.write(part, () => called.push(part))
    second?.write('d', () => second.write('e'))
    first?.end('f')
    await expect.poll(() => texts).toEqual(['abcf', 'de'])
    expect(called).toEqual(['a', 'b', 'c'])
  })

  it('writes to all others when one was destroyed meanwhile, which is told so', async () => {
    const { sockets, texts } = await connections(3)
    const told = new Promise<unknown>((resolve) => sockets[0]?.write('a', resolve))
    sockets[1]?.write('b')
    sockets[0]?.destroy()
    sockets[2]?.write('c')
    expect(await told).toBeInstanceOf(Error)
    await expect.poll(() => texts.slice(1)).toEqual(['b', 'c'])
  })
})
