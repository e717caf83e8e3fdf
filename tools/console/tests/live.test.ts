import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { readSse, waitFor } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { type EventDeps, eventRoutes } from '../src/eventing/event-routes.ts'
import { type Live, sendLive, sendView } from '../src/http/live.ts'
import type { Handler } from '../src/http/route.ts'
import { logRoutes } from '../src/logs/log-routes.ts'
import { createLogStore } from '../src/logs/log-store.ts'
import { traceRoutes } from '../src/traces/trace-routes.ts'
import { TraceStore } from '../src/traces/trace-store.ts'
import { ask, BEARER, openConsole } from './fixtures/console.ts'

const MANY = 20

describe('a live answer of the console', () => {
  it('has each event on lines of its own, whatever is in it, and ends when the console stops', async () => {
    let live: Live | undefined
    const server = await openConsole({
      'GET /api/live': (asked) => {
        live = sendLive(asked)
        live.send({ text: 'a\n\ndata: b' }, { event: 'x\ny', id: '7' })
      },
    })
    const events = readSse(`${server.url}/api/live`, { headers: BEARER })
    const first = await events.next()
    expect(first.value).toEqual({ event: 'x y', id: '7', data: '{"text":"a\\n\\ndata: b"}' })
    await server[Symbol.asyncDispose]()
    expect((await events.next()).done).toBe(true)
  })

  it('drops a client that does not read, at a bounded number of bytes', async () => {
    let sent = 0
    let live: Live | undefined
    let isClosed = false
    await using server = await openConsole({
      'GET /api/live': (asked) => {
        live = sendLive(asked)
        asked.response.once('close', () => {
          isClosed = true
        })
      },
    })
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.pause()
    socket.write(`GET /api/live HTTP/1.1\r\n${head(server.port)}\r\n\r\n`)
    await waitFor('the live answer', () => live !== undefined)
    const block = 'x'.repeat(65_536)
    await waitFor('the end of the connection', () => {
      live?.send(block)
      sent += block.length
      return isClosed
    })
    // Both ends of the connection buffer more than the limit.
    expect(sent).toBeLessThan(64 * 1024 * 1024)
    socket.destroy()
  })

  it('of a view begins with its state and has each change once, and stops watching with its client', async () => {
    let count = 1
    let watchers = 0
    const listeners = new Set<() => void>()
    await using server = await openConsole({
      'GET /api/view': (asked) =>
        sendView(asked, {
          read: async () => ({ count }),
          watch(changed) {
            watchers += 1
            listeners.add(changed)
            return {
              [Symbol.dispose]() {
                watchers -= 1
                listeners.delete(changed)
              },
            }
          },
        }),
    })
    const change = () => {
      for (const listener of listeners) listener()
    }
    expect(JSON.parse((await ask(server, 'GET', '/api/view')).body)).toEqual({ count: 1 })
    expect(watchers).toBe(0)

    const stop = new AbortController()
    const events = readSse(`${server.url}/api/view`, { headers: BEARER, signal: stop.signal })
    expect((await events.next()).value).toMatchObject({ data: '{"count":1}' })
    await waitFor('a watcher', () => watchers === 1)
    change()
    count = 2
    change()
    expect((await events.next()).value).toMatchObject({ data: '{"count":2}' })
    stop.abort()
    await waitFor('no watcher', () => watchers === 0)
  })

  it('of a view tells a problem, and its state when it can be read again, though it is the one before', async () => {
    let change: () => void = () => undefined
    let problem: Error | undefined
    await using server = await openConsole({
      'GET /api/view': (asked) =>
        sendView(asked, {
          read() {
            if (problem !== undefined) throw problem
            return { count: 1 }
          },
          watch(changed) {
            change = changed
            return { [Symbol.dispose]: () => undefined }
          },
        }),
    })
    const events = readSse(`${server.url}/api/view`, { headers: BEARER })
    expect((await events.next()).value).toMatchObject({ data: '{"count":1}' })
    problem = new Error('it is stopped')
    change()
    expect((await events.next()).value).toMatchObject({ event: 'problem', data: '{"error":"it is stopped"}' })
    problem = undefined
    change()
    expect((await events.next()).value).toMatchObject({ data: '{"count":1}' })
  })

  it('keeps nothing for a client that left before it began', async () => {
    let watchers = 0
    let answered = 0
    const view = {
      read: () => ({}),
      watch() {
        watchers += 1
        return {
          [Symbol.dispose]() {
            watchers -= 1
          },
        }
      },
      everyMs: 1000,
    }
    const { 'GET /api/traces': answerTraces } = traceRoutes(new TraceStore())
    const { 'GET /api/events': answerEvents } = eventRoutes({ traces: new TraceStore() } as EventDeps)
    const { 'GET /api/logs': answerLogs } = logRoutes(createLogStore())
    const answers: Record<string, Handler | undefined> = {
      view: (asked) => sendView(asked, view),
      traces: answerTraces,
      events: answerEvents,
      logs: answerLogs,
    }
    await using server = await openConsole({
      async 'GET /api/{name}'(asked) {
        await once(asked.response, 'close')
        await answers[asked.params['name'] ?? '']?.(asked)
        answered += 1
      },
    })
    const before = timers()
    const names = Object.keys(answers).flatMap((name) => new Array<string>(MANY).fill(name))
    for (const name of names) {
      const socket = connect(server.port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.end(`GET /api/${name} HTTP/1.1\r\n${head(server.port)}\r\n\r\n`, () => socket.destroy())
    }
    while (answered < names.length) await turn()
    expect(watchers).toBe(0)
    // Others, of the tests before, may come or go meanwhile.
    expect(timers()).toBeLessThan(before + MANY)
  })
})

function head(port: number): string {
  return `Host: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\nAuthorization: ${BEARER.authorization}`
}

/** Timers that keep the process alive. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}
