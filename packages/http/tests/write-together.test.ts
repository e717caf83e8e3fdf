import { AsyncLocalStorage } from 'node:async_hooks'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
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
    expect(written(sockets)).toBe(0)
    await new Promise<void>((resolve) => process.nextTick(resolve))
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

  it('writes what it has before a connection is destroyed', async () => {
    const { sockets, texts } = await connections(2)
    const told = new Promise<unknown>((resolve) => sockets[0]?.write('a', resolve))
    sockets[1]?.write('b')
    sockets[0]?.destroy()
    expect(await told).toBeFalsy()
    await expect.poll(() => texts).toEqual(['a', 'b'])
  })

  it('tells of each write in the context of who wrote it', async () => {
    const { sockets } = await connections(3)
    const context = new AsyncLocalStorage<number>()
    const told = sockets.map(
      (socket, index) =>
        new Promise((resolve) => context.run(index, () => socket.write('a', () => resolve(context.getStore())))),
    )
    expect(await Promise.all(told)).toEqual([0, 1, 2])
  })

  it('keeps a connection that was inactive for its timeout in the turn in which something is written', async () => {
    const { sockets, texts } = await connections(1)
    const [socket] = sockets
    // Of the same length as the timeout, and made before: it comes first.
    const over = new Promise((resolve) => setTimeout(resolve, 50))
    socket?.setTimeout(50, () => socket.destroy())
    await over
    socket?.write('a')
    await expect.poll(() => texts).toEqual(['a'])
  })

  it('loses nothing when a callback throws, or the process exits', async () => {
    const texts: string[] = []
    const server = createServer((socket) => {
      const index = texts.push('') - 1
      socket.on('error', () => {})
      socket.on('data', (bytes) => {
        texts[index] += String(bytes)
      })
    }).listen(0, '127.0.0.1')
    opened.push({ destroy: () => server.close() })
    await once(server, 'listening')
    const main = fileURLToPath(new URL('./exiting-writer-main.ts', import.meta.url))
    const args = ['--conditions=development', main, String((server.address() as AddressInfo).port)]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    expect(stdout).toBe('thrown: by the first callback\n')
    await expect.poll(() => texts).toEqual(['ab', 'ab', 'ab'])
  })
})
