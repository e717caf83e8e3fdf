import { describe, expect, it } from 'vitest'
import { echo, startHeld, stopClock } from './held-service.ts'

describe('HttpClient, the end of a pipelined connection', () => {
  stopClock()

  it('decisions 3.134: repeats those without a byte of an answer when the connection ends, each on a new one and once', async () => {
    await using held = await startHeld()
    await held.begin()
    const sent = ['/a', '/b', '/c'].map((path) => held.ask(path))
    const unrepeatable = held.ask('/d', { isRepeatable: false })
    await held.came(5)
    held.answer('/a', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n/a')
    await held.came(7)
    expect(held.paths.slice(1).toSorted()).toEqual(['/b', '/c'])
    held.answer('/b')
    for (const { socket, paths } of held.connections) if (paths.includes('/c') && paths.length === 1) socket.destroy()
    expect(await Promise.all([...sent, unrepeatable])).toEqual(['200 /a', '200 /b', 'HTTP_BROKE_OFF', 'HTTP_BROKE_OFF'])
    expect(held.paths).toHaveLength(3)
  })

  it.each([
    ['is not HTTP', 'SSH-2.0\r\n\r\n', 'HTTP_ANSWER_INVALID'],
    ['breaks off', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx', 'HTTP_BROKE_OFF'],
  ])('an answer that %s fails its own request alone', async (_case, text, code) => {
    await using held = await startHeld()
    await held.begin()
    const sent = ['/a', '/b', '/c'].map((path) => held.ask(path))
    const unrepeatable = held.ask('/d', { isRepeatable: false })
    await held.came(5)
    held.answer('/a')
    held.answer('/b', text)
    if (code === 'HTTP_BROKE_OFF') held.connections[0]?.socket.end()
    await held.came(6)
    held.answer('/c')
    expect(await Promise.all([...sent, unrepeatable])).toEqual(['200 /a', code, '200 /c', 'HTTP_BROKE_OFF'])
  })

  it('a request that is never answered fails by its time, which those behind it have from when they are next', async () => {
    await using held = await startHeld()
    await held.begin()
    const hung = held.ask('/hung', { timeoutMs: 300 })
    const sent = [held.ask('/b'), held.ask('/c', { timeoutMs: 299 })]
    await held.came(4)
    expect(await hung).toBe('HTTP_TIMEOUT')
    await held.came(6)
    held.answer('/b')
    expect(await Promise.all(sent)).toEqual(['200 /b', 'HTTP_TIMEOUT'])
    expect(held.paths.slice(1).toSorted()).toEqual(['/b', '/c'])
  })

  it('one behind others that has become the next is given up when its own time is over', async () => {
    await using held = await startHeld()
    await held.begin()
    const sent = [held.ask('/a'), held.ask('/b', { timeoutMs: 1 })]
    await held.came(3)
    held.answer('/a')
    expect(await Promise.all(sent)).toEqual(['200 /a', 'HTTP_TIMEOUT'])
  })

  it('one that is aborted behind others rejects at once; when its answer is the next one, the connection ends', async () => {
    await using held = await startHeld()
    await held.begin()
    const leaving = new AbortController()
    const [a, b, c] = [held.ask('/a'), held.ask('/b', { signal: leaving.signal }), held.ask('/c')]
    await held.came(4)
    leaving.abort(Object.assign(new Error('left'), { code: 'LEFT' }))
    expect(await b).toBe('LEFT')
    // None is sent behind it any more.
    const d = held.ask('/d')
    await held.came(5)
    expect(held.paths).toEqual(['/first /a /b /c', '/d'])
    held.answer('/a')
    expect(await a).toBe('200 /a')
    await held.came(6)
    expect(held.paths).toEqual(['/first /a /b /c', '/d', '/c'])
    held.answer('/c')
    held.answer('/d')
    expect(await Promise.all([c, d])).toEqual(['200 /c', '200 /d'])
  })

  it('one that is aborted while its answer is the next one ends the connection, on which nothing more is sent', async () => {
    await using held = await startHeld()
    await held.begin()
    const leaving = new AbortController()
    const [a, b] = [held.ask('/a', { signal: leaving.signal }), held.ask('/b')]
    await held.came(3)
    leaving.abort(Object.assign(new Error('left'), { code: 'LEFT' }))
    const c = held.ask('/c', { isRepeatable: false })
    await held.came(5)
    expect(held.paths.slice(1).toSorted()).toEqual(['/b', '/c'])
    held.answer('/b')
    held.answer('/c')
    expect(await Promise.all([a, b, c])).toEqual(['LEFT', '200 /b', '200 /c'])
  })

  it('an answer that comes before all of its request has been sent ends the connection', async () => {
    await using held = await startHeld()
    await held.begin()
    const upload = held.ask('/upload', { method: 'POST', body: Buffer.alloc(20_000_000, 'x') })
    const b = held.ask('/b')
    const [{ socket } = { socket: undefined }] = held.connections
    // It reads no more, and answers twice.
    socket?.pause()
    socket?.write(`${echo('/upload')}${echo('/other')}`)
    expect(await upload).toBe('200 /upload')
    await held.came(2)
    held.answer('/b')
    expect(await b).toBe('200 /b')
  })

  it('those that are repeated get new connections, for which idle ones make room', async () => {
    await using held = await startHeld({ maxConnections: 2 })
    await held.begin()
    const sent = ['/a', '/b', '/c', '/d', '/e'].map((path) => held.ask(path))
    await held.came(6)
    held.answer('/e')
    await sent[4]
    held.connections[0]?.socket.destroy()
    for (const path of ['/a', '/b', '/c', '/d']) {
      await held.until(() => held.connections.some((each, index) => index > 0 && each.paths[each.answered] === path))
      held.answer(path)
    }
    expect(await Promise.all(sent)).toEqual(['/a', '/b', '/c', '/d', '/e'].map((path) => `200 ${path}`))
    expect(held.connections[1]?.socket.destroyed).toBe(true)
    expect(held.connections.slice(2).map(({ paths }) => paths[0])).toEqual(['/a', '/b'])
  })

  it('bytes behind the last answer close the connection', async () => {
    await using held = await startHeld()
    await held.begin()
    const sent = ['/a', '/b'].map((path) => held.ask(path))
    await held.came(3)
    held.answer('/a')
    held.answer('/b', `${echo('/b')}${echo('/x')}`)
    expect(await Promise.all(sent)).toEqual(['200 /a', '200 /b'])
    const next = held.ask('/c')
    await held.came(4)
    expect(held.paths).toEqual(['/first /a /b', '/c'])
    held.answer('/c')
    expect(await next).toBe('200 /c')
  })

  it('ends with the client: none is sent again', async () => {
    await using held = await startHeld()
    await held.begin()
    const sent = [held.ask('/a'), held.ask('/b'), held.ask('/c', { isRepeatable: false })]
    await held.came(4)
    held.client[Symbol.dispose]()
    expect(await Promise.all(sent)).toEqual(['HTTP_CLIENT_CLOSED', 'HTTP_CLIENT_CLOSED', 'HTTP_CLIENT_CLOSED'])
  })
})
