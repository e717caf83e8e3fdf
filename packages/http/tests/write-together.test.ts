import { AsyncLocalStorage } from 'node:async_hooks'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { writesTogether } from '../src/index.ts'

const opened: { destroy(): void }[] = []
afterEach(() => {
  for (const each of opened.splice(0)) each.destroy()
})

/** What the other sides of connections to a port have read. */
async function readers() {
  const texts: string[] = []
  const server = createServer((socket) => {
    const index = texts.push('') - 1
    opened.push(socket)
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      texts[index] += String(bytes)
    })
  }).listen(0, '127.0.0.1')
  opened.push({ destroy: () => server.close() })
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, texts }
}

/** Connections whose writes by `write` wait, in the order of what their other sides have read. */
async function connections(count: number) {
  const { port, texts } = await readers()
  const all: { readonly socket: Socket; isWaiting(): boolean; write(text: string, told?: () => void): void }[] = []
  for (let index = 0; index < count; index += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    opened.push(socket)
    await once(socket, 'connect')
    await expect.poll(() => texts.length).toBe(index + 1)
    const together = writesTogether(socket)
    all.push({
      socket,
      isWaiting: () => together.isWaiting,
      write: (text, told) => void together.during(() => socket.write(text, told)),
    })
  }
  return { all, texts }
}

type Each = Awaited<ReturnType<typeof connections>>['all'][number]

/** Of how many the system has something: what waits here is not counted by a socket. */
const written = (all: readonly Each[]) => all.filter(({ socket }) => socket.bytesWritten > 0).length

describe('writesTogether', () => {
  it('writes what was written in a turn of the event loop at its end, sixteen at a time', async () => {
    const { all, texts } = await connections(20)
    for (const { write } of all.slice(0, 16)) write('a')
    expect(written(all)).toBe(0)
    await new Promise<void>((resolve) => process.nextTick(resolve))
    expect(written(all)).toBe(16)
    for (const { write } of all.slice(16)) write('a')
    expect([written(all), all[16]?.isWaiting()]).toEqual([16, true])
    await nextTurn()
    expect([written(all), all[16]?.isWaiting()]).toEqual([20, false])
    await expect.poll(() => texts).toEqual(Array(20).fill('a'))
  })

  it('keeps the order of one connection, and lets other writes pass that are not to wait', async () => {
    const { all, texts } = await connections(2)
    const [first, second] = all
    const called: string[] = []
    first?.write('a', () => called.push('a'))
    first?.socket.write('b', () => called.push('b'))
    first?.socket.end('c')
    second?.socket.write('d')
    expect(second?.socket.bytesWritten).toBe(1)
    second?.write('e')
    expect(second?.isWaiting()).toBe(true)
    await expect.poll(() => texts).toEqual(['abc', 'de'])
    expect(called).toEqual(['a', 'b'])
  })

  it('writes what it has before a connection is destroyed', async () => {
    const { all, texts } = await connections(2)
    const told = new Promise<unknown>((resolve) => all[0]?.write('a', () => resolve('written')))
    all[1]?.write('b')
    all[0]?.socket.destroy()
    expect(await told).toBe('written')
    await expect.poll(() => texts).toEqual(['a', 'b'])
  })

  it('tells of each write in the context of who wrote it', async () => {
    const { all } = await connections(3)
    const context = new AsyncLocalStorage<number>()
    const told = all.map(
      ({ write }, index) =>
        new Promise((resolve) => context.run(index, () => write('a', () => resolve(context.getStore())))),
    )
    expect(await Promise.all(told)).toEqual([0, 1, 2])
  })

  it('loses nothing when a callback throws, or the process exits', async () => {
    const { port, texts } = await readers()
    const main = fileURLToPath(new URL('./exiting-writer-main.ts', import.meta.url))
    const args = ['--conditions=development', main, String(port)]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    expect(stdout).toBe('thrown: by the first callback\n')
    await expect.poll(() => texts).toEqual(['ab', 'ab', 'ab'])
  })
})
