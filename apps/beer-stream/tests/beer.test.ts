import { once } from 'node:events'
import { connect } from 'node:net'
import { readSse, type ServerSentEvent, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { makeRecord } from './make-record.ts'
import { startApp } from './start-app.ts'

async function readAll(url: string, headers: Record<string, string> = {}): Promise<ServerSentEvent[]> {
  return await Array.fromAsync(readSse(`${url}/beer`, { headers }))
}

/** The first events of a stream, which goes on: how long it may be silent does not matter. */
async function readFirst(count: number, url: string, headers: Record<string, string> = {}): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = []
  for await (const event of readSse(`${url}/beer`, { headers })) if (events.push(event) === count) break
  return events
}

describe('GET /beer', () => {
  it('contract 4.4: answers at once as an event stream, before there is a beer', async () => {
    await using app = await startApp()
    const response = await fetch(`${app.url}/beer`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform')
    const { value } = (await response.body?.getReader().read()) ?? {}
    expect(Buffer.from(value ?? []).toString()).toBe('retry: 1000\n')
  })

  it('decisions 1.42: sends each beer to every client, decisions 1.45: with two fraction digits', async () => {
    await using app = await startApp()
    const reading = [readFirst(2, app.url), readFirst(2, app.url)]
    await waitFor('two clients', () => app.hub.counters.clients === 2)
    void app.hub.publish(makeRecord(0))
    void app.hub.publish(makeRecord(1, { name: 'Nøgne "Ø"', price: 3 }))
    for (const events of await Promise.all(reading)) {
      expect(events).toEqual([
        { event: 'message', id: '0-0', data: '{"name":"Ale 0","price":12.50}' },
        { event: 'message', id: '0-1', data: '{"name":"Nøgne \\"Ø\\"","price":3.00}' },
      ])
    }
  })

  it('decisions 1.39: ends with one stream-error when nothing comes, and leaves the connection usable', async () => {
    await using app = await startApp({ itemWaitMs: 50 })
    const [event, ...more] = await readAll(app.url)
    expect(event).toMatchObject({ event: 'stream-error', id: undefined })
    expect(JSON.parse(event?.data ?? '')).toMatchObject({ status: 504 })
    expect(more).toEqual([])

    const socket = connect(app.port, '127.0.0.1').setEncoding('utf8')
    let received = ''
    socket.on('data', (text: string) => {
      received += text
    })
    socket.write('GET /beer HTTP/1.1\r\nHost: a\r\n\r\n')
    await waitFor('the end of the stream', () => received.endsWith('\r\n0\r\n\r\n'))
    socket.write('GET /q/health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    await once(socket, 'close')
    expect(received.split('\r\n0\r\n\r\n')[1]).toMatch(/^HTTP\/1\.1 200 OK/)
  })

  it('decisions 1.43: resumes after Last-Event-ID', async () => {
    await using app = await startApp({ itemWaitMs: 100 })
    for (let offset = 0; offset < 4; offset += 1) void app.hub.publish(makeRecord(offset))
    const events = await readAll(app.url, { 'last-event-id': '0-1' })
    expect(events.map((event) => event.id)).toEqual(['0-2', '0-3', undefined])
  })

  it('serves a client that speaks HTTP/1.0, without chunked coding', async () => {
    await using app = await startApp({ itemWaitMs: 100 })
    const socket = connect(app.port, '127.0.0.1').setEncoding('utf8')
    socket.write('GET /beer HTTP/1.0\r\n\r\n')
    await waitFor('the client', () => app.hub.counters.clients === 1)
    void app.hub.publish(makeRecord(0))
    const body = (await socket.toArray()).join('').split('\r\n\r\n')[1] ?? ''
    expect(body).toMatch(/^retry: 1000\nid: 0-0\ndata: .*\n\nevent: stream-error\ndata: .*\n\n$/)
  })

  it('serves two pipelined requests one after the other', async () => {
    await using app = await startApp({ itemWaitMs: 100 })
    const socket = connect(app.port, '127.0.0.1').setEncoding('utf8')
    socket.write('GET /beer HTTP/1.1\r\nHost: a\r\n\r\nGET /beer HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    await waitFor('the client', () => app.hub.counters.clients === 1)
    void app.hub.publish(makeRecord(0))
    await waitFor('the end of the first', () => app.hub.counters.failed === 1)
    await waitFor('the client again', () => app.hub.counters.clients === 1)
    void app.hub.publish(makeRecord(1))
    const answers = (await socket.toArray()).join('').split('HTTP/1.1 200 OK').slice(1)
    expect(answers).toHaveLength(2)
    for (const [n, answer] of answers.entries()) {
      expect(answer).toContain(`id: 0-${n}\ndata: {"name":"Ale ${n}","price":12.50}\n\n`)
    }
  })

  it('has one stream for a connection that asks a thousand times at once, and none once it is gone', async () => {
    await using app = await startApp({ maxClients: 10 })
    const socket = connect(app.port, '127.0.0.1')
    socket.write('GET /beer HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1000))
    await waitFor('the client', () => app.hub.counters.clients > 0)
    expect((await fetch(`${app.url}/q/health/live`)).status).toBe(200)
    expect(app.hub.counters.clients).toBe(1)
    socket.destroy()
    await waitFor('no client', () => app.hub.counters.clients === 0)
  })

  it('opens no more streams than it may, and answers 503 with Retry-After beyond', async () => {
    await using app = await startApp({ maxClients: 1 })
    const leave = new AbortController()
    await fetch(`${app.url}/beer`, { signal: leave.signal })
    const refused = await fetch(`${app.url}/beer`)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    leave.abort()
    await waitFor('room', () => app.hub.counters.clients === 0)
    const again = new AbortController()
    expect((await fetch(`${app.url}/beer`, { signal: again.signal })).status).toBe(200)
    again.abort()
  })

  it.each([
    ['that is long', '1-1.'.repeat(3000)],
    ['with a huge offset', '0-999999999999999999'],
    ['with an offset of a thousand digits', `0-${'9'.repeat(1000)}`],
    ['with a partition that is not there', '0-0.7-1'],
    ['that names a partition twice', '0-0.0-1'],
    ['of a prototype', '__proto__'],
    ['with characters beyond ASCII', '0-\u00e9'],
    ['of numbers that are none', '0x0-1e3'],
  ])('decisions 1.43: an id to resume after %s starts live', async (_, id) => {
    await using app = await startApp()
    void app.hub.publish(makeRecord(0))
    const reading = readFirst(1, app.url, { 'last-event-id': id })
    await waitFor('the client', () => app.hub.counters.clients === 1)
    void app.hub.publish(makeRecord(1))
    expect((await reading).map((event) => event.id)).toEqual(['0-1'])
  })

  it('never lets a name forge a line of the stream', async () => {
    await using app = await startApp({ itemWaitMs: 100 })
    const reading = readAll(app.url)
    await waitFor('the client', () => app.hub.counters.clients === 1)
    const name = 'x\r\n\r\nevent: stream-error\rdata: {}\n\nid: 9-9\u2028\u0085\u0000'
    void app.hub.publish(makeRecord(0, { name }))
    const [beer, end, ...more] = await reading
    expect(beer).toMatchObject({ event: 'message', id: '0-0' })
    expect(JSON.parse(beer?.data ?? '')).toEqual({ name, price: 12.5 })
    expect(end).toMatchObject({ event: 'stream-error', id: undefined })
    expect(more).toEqual([])
  })

  it('decisions 1.41: drops a client that does not read; others notice nothing', async () => {
    await using app = await startApp()
    const stuck = connect(app.port, '127.0.0.1').pause()
    stuck.on('error', () => {})
    stuck.write('GET /beer HTTP/1.1\r\nHost: a\r\n\r\n')
    await waitFor('the client', () => app.hub.counters.clients === 1)
    const stop = new AbortController()
    const ids: (string | undefined)[] = []
    const reading = (async () => {
      for await (const { id } of readSse(`${app.url}/beer`, { signal: stop.signal })) ids.push(id)
    })()
    await waitFor('both clients', () => app.hub.counters.clients === 2)

    const name = 'x'.repeat(60_000)
    let offset = 0
    await waitFor('the drop', async () => {
      await app.hub.publish(makeRecord(offset++, { name }))
      return app.hub.counters.dropped === 1
    })
    await waitFor('all beers at the other client', () => ids.length === offset)
    expect(ids).toEqual(Array.from({ length: offset }, (_, i) => `0-${i}`))
    stop.abort()
    await reading
    stuck.destroy()
  })

  it('decisions 3.8: forgets a client that leaves', async () => {
    await using app = await startApp()
    const leave = new AbortController()
    await fetch(`${app.url}/beer`, { signal: leave.signal })
    expect(app.hub.counters.clients).toBe(1)
    leave.abort()
    await waitFor('no client', () => app.hub.counters.clients === 0)
  })

  it('decisions 1.75: ends its streams on shutdown and refuses new ones with 503', async () => {
    await using app = await startApp()
    const reading = readAll(app.url)
    await waitFor('the client', () => app.hub.counters.clients === 1)
    app.hub[Symbol.dispose]()
    expect(await reading).toEqual([])
    const refused = await fetch(`${app.url}/beer`)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('content-type')).toMatch('application/problem+json')
    expect(refused.headers.get('retry-after')).toBe('5')
  })

  it('answers HEAD with the headers alone', async () => {
    await using app = await startApp()
    const response = await fetch(`${app.url}/beer`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(app.hub.counters.clients).toBe(0)
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('decisions 1.74: refuses %s with 405 and Allow', async (method) => {
    await using app = await startApp()
    const response = await fetch(`${app.url}/beer`, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
    expect(response.headers.get('content-type')).toMatch('application/problem+json')
  })
})
