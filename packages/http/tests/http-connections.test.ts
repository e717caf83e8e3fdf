import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import { describe, expect, it } from 'vitest'
import { HttpClient } from '../src/index.ts'
import { OK, requestTo, textOf, until } from './client-peers.ts'
import { startBackend } from './raw-peers.ts'

describe('HttpClient, connections', () => {
  it('are used again, the last one first', async () => {
    await using backend = await startBackend((socket) => socket.write(OK))
    using client = new HttpClient()
    const once = () => textOf(client, requestTo(backend.port))
    await Promise.all([once(), once(), once()])
    for (let count = 0; count < 5; count += 1) await once()
    expect(backend.connections).toHaveLength(3)
    expect(backend.connections.filter(({ text }) => text.split('GET').length > 2)).toHaveLength(1)
  })

  it('decisions 3.169: of a repeated request are new ones, also when there are as many as may be', async () => {
    const answered = new WeakSet<Socket>()
    await using backend = await startBackend((socket) => {
      if (answered.has(socket)) socket.resetAndDestroy()
      else socket.write(OK, () => answered.add(socket))
    })
    using client = new HttpClient({ maxConnections: 2 })
    const send = () => textOf(client, requestTo(backend.port, { isRepeatable: true }))
    for (let round = 0; round < 3; round += 1) await Promise.all(Array.from({ length: 10 }, send))
  })

  it('are not more than may be: further requests wait, and one that is aborted waits no more', async () => {
    const answer: (() => void)[] = []
    await using backend = await startBackend((socket) => answer.push(() => socket.write(OK)))
    using client = new HttpClient({ maxConnections: 2 })
    const leaving = new AbortController()
    const sent = [1, 2, 3].map(() => textOf(client, requestTo(backend.port)))
    const aborted = textOf(client, requestTo(backend.port, { signal: leaving.signal }))
    const late = expect(textOf(client, requestTo(backend.port, { timeoutMs: 1 }))).rejects.toMatchObject({
      code: 'HTTP_TIMEOUT',
    })
    await until('two requests', () => answer.length === 2)
    leaving.abort(new Error('left'))
    await expect(aborted).rejects.toThrow('left')
    await late
    for (const go of answer.splice(0)) go()
    await until('the third request', () => answer.length === 1)
    for (const go of answer) go()
    expect(await Promise.all(sent)).toEqual(['200 ok', '200 ok', '200 ok'])
    expect(backend.connections).toHaveLength(2)
  })

  it.each([
    ['says so', 'HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 2\r\n\r\nok'],
    ['is of HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'],
    ['closes in a second', 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 2\r\n\r\nok'],
    ['sends more than its answer', `${OK}x`],
  ])('are not used again where the other side %s', async (_case, text) => {
    await using backend = await startBackend((socket) => socket.write(text))
    using client = new HttpClient()
    expect(await textOf(client, requestTo(backend.port))).toBe('200 ok')
    expect(await textOf(client, requestTo(backend.port))).toBe('200 ok')
    expect(backend.connections).toHaveLength(2)
  })

  it('that have been idle for as long as one may stall carry what is sent in that turn', async () => {
    await using backend = await startBackend((socket) => socket.write(OK))
    using client = new HttpClient({ stalledMs: 1000 })
    expect(await textOf(client, requestTo(backend.port))).toBe('200 ok')
    const idleSince = performance.now()
    await nextTurn()
    // Nothing else happens meanwhile: the time is over before anybody hears of it.
    while (performance.now() - idleSince < 1010);
    expect(await textOf(client, requestTo(backend.port))).toBe('200 ok')
  })

  it('decisions 3.134: carry one request at a time', async () => {
    const answer: (() => void)[] = []
    await using backend = await startBackend((socket) => answer.push(() => socket.write(OK)))
    using client = new HttpClient({ maxConnections: 1 })
    const sent = [1, 2].map(() => textOf(client, requestTo(backend.port)))
    await until('a request', () => answer.length === 1)
    await nextTurn()
    expect(backend.received.split('GET')).toHaveLength(2)
    answer[0]?.()
    await until('the other request', () => answer.length === 2)
    answer[1]?.()
    expect(await Promise.all(sent)).toEqual(['200 ok', '200 ok'])
    expect(backend.connections).toHaveLength(1)
  })

  it('are closed when bytes come that nothing has asked for', async () => {
    await using backend = await startBackend((socket) => {
      socket.write(OK)
    })
    using client = new HttpClient({ idleMs: 3_600_000 })
    await textOf(client, requestTo(backend.port))
    for (const socket of backend.sockets) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad')
    await until('the connection to be closed', () => backend.sockets.size === 0)
    expect(await textOf(client, requestTo(backend.port))).toBe('200 ok')
  })

  it('are closed when they have been idle for long', async () => {
    await using backend = await startBackend((socket) => socket.write(OK))
    using client = new HttpClient({ idleMs: 1000 })
    await textOf(client, requestTo(backend.port))
    await until('the connection to be closed', () => backend.sockets.size === 0)
    expect(await textOf(client, requestTo(backend.port))).toBe('200 ok')
  })

  it('do not keep the process while they are idle', async () => {
    await using backend = await startBackend((socket) => socket.write(OK))
    const main = fileURLToPath(new URL('./one-request-main.ts', import.meta.url))
    const args = ['--conditions=development', main, `http://127.0.0.1:${backend.port}/`]
    const { stdout } = await run(process.execPath, args)
    expect(stdout).toBe('200\n')
  })
})

describe('HttpClient, a connection that the other side has closed', () => {
  it('is not used', async () => {
    await using backend = await startBackend((socket) => socket.write(OK))
    using client = new HttpClient()
    const all = () => Promise.all(Array.from({ length: 20 }, () => textOf(client, requestTo(backend.port))))
    await all()
    for (const socket of backend.sockets) socket.end()
    await until('the connections to be closed', () => backend.sockets.size === 0)
    expect(await all()).toEqual(Array.from({ length: 20 }, () => '200 ok'))
  })

  it('and was given up here carries nothing again', async () => {
    let requests = 0
    await using backend = await startBackend((socket, { text }) => {
      requests += 1
      if (text.split('GET').length === 2) socket.write(OK)
    })
    using client = new HttpClient()
    await textOf(client, requestTo(backend.port))
    const leaving = new AbortController()
    const aborted = client.request(requestTo(backend.port, { signal: leaving.signal, isRepeatable: true }))
    void until('the request', () => requests === 2).then(() => leaving.abort(null))
    await expect(aborted).rejects.toBe(null)
    await textOf(client, requestTo(backend.port))
    expect(requests).toBe(3)
  })

  it.each([
    [true, '200 ok'],
    [false, 'HTTP_BROKE_OFF or ECONNRESET'],
  ])('with isRepeatable: %s: %s', async (isRepeatable, expected) => {
    await using backend = await startBackend((socket, { text }) => {
      if (text.split('GET').length > 2) socket.resetAndDestroy()
      else socket.write(OK)
    })
    using client = new HttpClient()
    await textOf(client, requestTo(backend.port))
    const again = textOf(client, requestTo(backend.port, { isRepeatable })).catch(({ code }) =>
      code === 'HTTP_BROKE_OFF' || code === 'ECONNRESET' ? 'HTTP_BROKE_OFF or ECONNRESET' : code,
    )
    expect(await again).toBe(expected)
    expect(backend.connections).toHaveLength(isRepeatable ? 2 : 1)
  })
})
