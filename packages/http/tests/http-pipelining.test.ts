import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HttpClient, type HttpRequest } from '../src/index.ts'
import { textOf } from './client-peers.ts'
import { requestsIn, startBackend } from './raw-peers.ts'

interface Carried {
  readonly socket: Socket
  /** Of all requests that came over the connection. */
  paths: readonly string[]
  answered: number
}

const echo = (path: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}`

/** A client, and a service that answers when the test says so. */
async function startHeld() {
  const connections: Carried[] = []
  let tellCame = () => {}
  const backend = await startBackend((socket, { text }, number) => {
    const carried = connections[number - 1] ?? { socket, paths: [], answered: 0 }
    connections[number - 1] = carried
    carried.paths = requestsIn(text).map(({ line }) => line.split(' ')[1] ?? '')
    tellCame()
  })
  const client = new HttpClient()
  const nextOf = ({ paths, answered }: Carried) => paths[answered]
  const held = {
    connections,
    /** Resolves with status and body of the answer, or with the error's code. */
    ask: (path: string, options: Partial<HttpRequest> = {}) => {
      const url = `http://127.0.0.1:${backend.port}${path}`
      const defaults = { method: 'GET', timeoutMs: 60_000, pipelining: 4, isRepeatable: true } as const
      return textOf(client, { ...defaults, url, ...options }).catch((error) => String(error.code ?? error.name))
    },
    /** The paths of each connection. */
    get paths() {
      return connections.map(({ paths }) => paths.join(' '))
    },
    /** Resolves when so many requests have come on all connections. */
    // Vitest's own polling would advance the clock.
    came: (count: number) =>
      new Promise<void>((resolve) => {
        tellCame = () => void (connections.flatMap(({ paths }) => paths).length === count && resolve())
        tellCame()
      }),
    /** Answers the request where it came last, and must be the next one of its connection. */
    answer(path: string, text = echo(path)) {
      const carried = connections.findLast((each) => nextOf(each) === path)
      if (carried === undefined) throw new Error(`${path} is not the next one`)
      carried.answered += 1
      carried.socket.write(text)
    },
    /** Has a connection that stays open, as its first answer shows. */
    async begin() {
      const first = held.ask('/first')
      await held.came(1)
      held.answer('/first')
      await first
    },
    client,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]()
      await backend[Symbol.asyncDispose]()
    },
  }
  return held
}

describe('HttpClient, pipelining', () => {
  // How long answers take decides what is pipelined: none, unless a test says so.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['hrtime'] }))
  afterEach(() => void vi.useRealTimers())

  it('has several requests under way on one connection; each gets its own answer', async () => {
    await using held = await startHeld()
    await held.begin()
    const sent = ['/a', '/bc', '/def', '/g'].map((path) => held.ask(path))
    await held.came(5)
    expect(held.paths).toEqual(['/first /a /bc /def /g'])
    for (const path of ['/a', '/bc', '/def', '/g']) held.answer(path)
    expect(await Promise.all(sent)).toEqual(['200 /a', '200 /bc', '200 /def', '200 /g'])
  })

  it.each([1, 7, 42, 50, 83])('reads answers in pieces of %i bytes', async (size) => {
    await using held = await startHeld()
    await held.begin()
    const sent = ['/a', '/b', '/c'].map((path) => held.ask(path))
    await held.came(4)
    const answers = ['/a', '/b', '/c'].map(echo).join('')
    for (let at = 0; at < answers.length; at += size) {
      await new Promise((written) => held.connections[0]?.socket.write(answers.slice(at, at + size), written))
    }
    expect(await Promise.all(sent)).toEqual(['200 /a', '200 /b', '200 /c'])
  })

  it('does not begin before the first answer of a connection', async () => {
    await using held = await startHeld()
    const sent = ['/a', '/b', '/c'].map((path) => held.ask(path))
    await held.came(3)
    expect(held.paths.toSorted()).toEqual(['/a', '/b', '/c'])
    for (const path of ['/a', '/b', '/c']) held.answer(path)
    expect(await Promise.all(sent)).toEqual(['200 /a', '200 /b', '200 /c'])
  })

  it('keeps no more connections busy than can carry all requests, and none with more than it may have', async () => {
    await using held = await startHeld()
    await held.begin()
    const sent = ['/a', '/b', '/c', '/d', '/e'].map((path) => held.ask(path))
    await held.came(6)
    expect(held.paths).toEqual(['/first /a /b /c /d', '/e'])
    held.answer('/e')
    await sent[4]
    // The first one is full; the second one has room for three more, and the next request is on neither if it has its own number.
    const more = ['/f', '/g', '/h', '/i'].map((path) => held.ask(path))
    const alone = held.ask('/alone', { pipelining: 1 })
    await held.came(11)
    expect(held.paths).toEqual(['/first /a /b /c /d', '/e /f /g /h /i', '/alone'])
    for (const path of ['/a', '/b', '/c', '/d', '/f', '/g', '/h', '/i', '/alone']) held.answer(path)
    await Promise.all([...sent, ...more, alone])
  })

  it('sends none behind one that takes long, nor where answers do', async () => {
    await using held = await startHeld()
    await held.begin()
    const slow = held.ask('/slow')
    await held.came(2)
    vi.advanceTimersByTime(51)
    const others = [held.ask('/b'), held.ask('/c')]
    await held.came(4)
    expect(held.paths.toSorted()).toEqual(['/b', '/c', '/first /slow'])
    for (const path of ['/slow', '/b', '/c']) held.answer(path)
    await Promise.all([slow, ...others])
    // Of an average of the last answers: it was 51 × 1/4 on one connection, and nothing on both others.
    const [first, second] = [held.ask('/d'), held.ask('/e')]
    await held.came(6)
    expect(held.paths.filter((paths) => paths.includes('/d')).join()).toContain('/e')
    held.answer('/d')
    held.answer('/e')
    await Promise.all([first, second])
  })

  it('decisions 3.134: repeats those without a byte of an answer when the connection ends, each alone and once', async () => {
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
    await held.came(4)
    held.answer('/a')
    held.answer('/b', text)
    if (code === 'HTTP_BROKE_OFF') held.connections[0]?.socket.end()
    await held.came(5)
    held.answer('/c')
    expect(await Promise.all(sent)).toEqual(['200 /a', code, '200 /c'])
  })

  it('a request that is never answered fails by its time, which those behind it have from when they are next', async () => {
    await using held = await startHeld()
    await held.begin()
    const hung = held.ask('/hung', { timeoutMs: 300 })
    const sent = ['/b', '/c'].map((path) => held.ask(path, { timeoutMs: 299 }))
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

  it('one that is aborted behind others rejects with the reason; the others are repeated', async () => {
    await using held = await startHeld()
    await held.begin()
    const leaving = new AbortController()
    const sent = [held.ask('/a'), held.ask('/b', { signal: leaving.signal }), held.ask('/c')]
    await held.came(4)
    leaving.abort(Object.assign(new Error('left'), { code: 'LEFT' }))
    await held.came(6)
    expect(held.paths.slice(1).toSorted()).toEqual(['/a', '/c'])
    held.answer('/a')
    held.answer('/c')
    expect(await Promise.all(sent)).toEqual(['200 /a', 'LEFT', '200 /c'])
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
    const sent = ['/a', '/b'].map((path) => held.ask(path))
    await held.came(3)
    held.client[Symbol.dispose]()
    expect(await Promise.all(sent)).toEqual(['HTTP_CLIENT_CLOSED', 'HTTP_CLIENT_CLOSED'])
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('of %d is a TypeError', async (pipelining) => {
    await using held = await startHeld()
    expect(await held.ask('/a', { pipelining })).toBe('TypeError')
  })
})
