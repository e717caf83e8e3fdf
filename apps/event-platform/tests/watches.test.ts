import { connect } from 'node:net'
import { listen } from '@taproom/service'
import { waitFor } from '@taproom/testkit'
import type { Response } from 'express'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Representation } from '../src/kube/representation.ts'
import { createWatches } from '../src/kube/watch.ts'
import { ResourceStore } from '../src/resources/resource-store.ts'
import { BROKERS, type KubeApi, startKubeApi } from './kube-api.ts'

describe('resource API, watched', () => {
  let api: KubeApi
  beforeEach(async () => {
    api = await startKubeApi()
  })
  afterEach(async () => {
    await api[Symbol.asyncDispose]()
    expect(api.errors).toEqual([])
  })

  const put = (name: string, config: string) =>
    api.store.put({
      apiVersion: 'eventing.knative.dev/v1',
      kind: 'Broker',
      metadata: { name, namespace: 'default' },
      spec: { config },
    })

  it('gives a watcher all there is, however much, and what changes meanwhile after it', async () => {
    for (let index = 0; index < 15; index += 1) put(`b${index}`, 'x'.repeat(200_000))
    const lines: { type: string; object: { metadata: { name: string } } }[] = []
    const response = await fetch(`${api.url}${BROKERS}?watch=1`)
    put('b0', 'changed')
    let rest = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const parts = (rest + chunk).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts.map((line) => JSON.parse(line)))
      if (lines.length === 16) break
    }
    expect(lines.map(({ type }) => type)).toEqual([...Array.from({ length: 15 }, () => 'ADDED'), 'MODIFIED'])
    expect(lines.at(-1)?.object.metadata.name).toBe('b0')
  })

  it('drops a watcher that does not read, and only that one', async () => {
    let isDropped = false
    const lazy = connect(Number(new URL(api.url).port), '127.0.0.1', () => {
      lazy.pause()
      lazy.write(`GET ${BROKERS}?watch=1 HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    })
    lazy.on('error', () => {})
    lazy.on('close', () => {
      isDropped = true
    })
    using reader = watcher(`${api.url}${BROKERS}?watch=1`)
    await waitFor('both watch', () => reader.isOpen)
    for (let index = 0; index < 64; index += 1) {
      put('b', `${index}${'x'.repeat(250_000)}`)
      await waitFor('the reader has it', () => reader.lines > index)
    }
    lazy.resume()
    await waitFor('it is dropped', () => isDropped)
    expect(reader.lines).toBe(64)
  })

  it('has 100 watchers at most, and another when one has left', async () => {
    const watchers = Array.from({ length: 100 }, () => watcher(`${api.url}${BROKERS}?watch=1`))
    await waitFor('all watch', () => watchers.every(({ isOpen }) => isOpen))
    const refused = await api.call('GET', `${BROKERS}?watch=1`)
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
      body: { reason: 'TooManyRequests' },
    })
    for (const one of watchers) one[Symbol.dispose]()
    await waitFor('another watches', async () => {
      using another = watcher(`${api.url}${BROKERS}?watch=1`)
      await waitFor('an answer', () => another.status !== undefined)
      return another.status === 200
    })
  })
})

/** Follows a watch and counts its lines. */
function watcher(url: string) {
  const leaving = new AbortController()
  const seen = {
    lines: 0,
    status: undefined as number | undefined,
    get isOpen() {
      return seen.status === 200
    },
    [Symbol.dispose]: () => leaving.abort(),
  }
  const follow = async () => {
    const response = await fetch(url, { signal: leaving.signal })
    seen.status = response.status
    for await (const chunk of response.body ?? [])
      seen.lines += Buffer.from(chunk).filter((byte) => byte === 0x0a).length
  }
  follow().catch(() => {
    // It has left.
  })
  return seen
}

describe('a watch that is over before its client has read it', () => {
  it('is written nothing more, and ends nothing', async () => {
    const store = new ResourceStore()
    const shutdown = new AbortController()
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } } as const
    const watch = createWatches({ store, shutdown: shutdown.signal })
    const failures: unknown[] = []
    let response: Response | undefined
    await using server = await listen(
      (_req, res) => {
        response = res as Response
        res.on('error', (error) => failures.push(error))
        const representation = { name: 'object', watched: () => 'x'.repeat(50_000) } as unknown as Representation
        watch(response, {
          kind: 'Namespace',
          isSelected: () => true,
          representation,
          ...{ hasPresent: true, isMarked: false },
          timeoutMs: 60_000,
        })
      },
      { host: '127.0.0.1', port: 0, drainMs: 0 },
    )
    const client = connect(server.port, '127.0.0.1', () => {
      client.pause()
      client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    })
    client.on('error', () => {})
    await waitFor('the watch', () => response !== undefined)
    store.put(object)
    // One change at a time: a response that is full is waited for, one that has some room is written to.
    await waitFor('what nobody takes', () => {
      if ((response?.socket?.writableLength ?? 0) > 0) return true
      store.setStatus({ kind: 'Namespace', namespace: undefined, name: 'default' }, { phase: String(Math.random()) })
      return false
    })
    shutdown.abort()
    expect(response?.writableEnded).toBe(true)
    for (const phase of ['a', 'b'])
      store.setStatus({ kind: 'Namespace', namespace: undefined, name: 'default' }, { phase })
    await new Promise(setImmediate)
    client.destroy()
    expect(failures).toEqual([])
  })
})
