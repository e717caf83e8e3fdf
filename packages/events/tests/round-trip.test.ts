import { Agent, request } from 'node:http'
import { HttpClient } from '@taproom/http'
import { startHttpServer } from '@taproom/testkit'
import type { CloudEventV1 } from 'cloudevents'
import express from 'express'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type EventMessage,
  fromKafkaMessage,
  readEvent,
  receiveEvents,
  sendEvent,
  toKafkaMessage,
} from '../src/index.ts'
import { type PostedEvent, postedEvents } from './legal-events.ts'

/** So many events, 100 unless EVENT_COUNT says otherwise; 100,000 take some minutes. */
const COUNT = Number(process.env['EVENT_COUNT'] ?? 100)

/** A broker, as far as events are concerned: each is taken, kept as a Kafka record, and delivered to both kinds of receiver. */
async function startWay({ passesOn = false } = {}) {
  const agent = new Agent({ keepAlive: true })
  const client = new HttpClient()
  const received: CloudEventV1<Buffer>[] = []
  const messages: EventMessage[] = []
  const keep = (event: CloudEventV1<Buffer>) => void received.push(event)
  const bare = await startHttpServer((req, res) =>
    receiveEvents(keep)(req, res, (error) => res.destroy(error as Error)),
  )
  // SDKs in use take header values as they are.
  const verbatim = await startHttpServer(async (req, res) => {
    messages.push({ headers: req.headers as Record<string, string>, body: Buffer.concat(await req.toArray()) })
    res.end()
  })
  const byExpress = await startHttpServer(express().use(receiveEvents(keep)))
  const door = await startHttpServer(async (req, res) => {
    try {
      const { headers, value } = toKafkaMessage(await readEvent(req, { passesOn }))
      const kept = Object.entries(headers).map(([name, text]) => [name, Buffer.from(text).toString()])
      const event = fromKafkaMessage({ headers: Object.fromEntries(kept), value })
      for (const [url, format] of [
        [bare.url, undefined],
        [byExpress.url, undefined],
        [bare.url, 'json'],
        [verbatim.url, undefined],
      ] as const) {
        const outcome = await sendEvent({ url, event, format, passesOn, timeoutMs: 60_000, client })
        if (!outcome.delivered) throw new Error(`not delivered: ${outcome.status} ${outcome.body ?? outcome.detail}`)
      }
      res.writeHead(202).end()
    } catch (error) {
      res.writeHead(400).end(String(error))
    }
  })
  return {
    received,
    messages,
    post: ({ headers, body }: PostedEvent) => post(door.url, { headers, body, agent }),
    async [Symbol.asyncDispose]() {
      agent.destroy()
      client[Symbol.dispose]()
      for (const server of [door, bare, byExpress, verbatim]) await server[Symbol.asyncDispose]()
    },
  }
}

interface Post {
  readonly headers: Record<string, string>
  readonly body: Buffer
  readonly agent: Agent
}

function post(url: string, { headers, body, agent }: Post): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const all = { ...headers, 'content-length': body.length }
  request(url, { method: 'POST', headers: all, agent }, (response) => {
    response.toArray().then((chunks) => resolve(`${response.statusCode} ${Buffer.concat(chunks)}`), reject)
  })
    .on('error', reject)
    .end(body)
  return promise
}

describe('any legal event', () => {
  it(
    'comes out of every receiver as it was posted, byte for byte',
    async () => {
      await using way = await startWay()
      const arrives = fc.asyncProperty(postedEvents, async (posted) => {
        way.received.length = 0
        expect(await way.post(posted)).toBe('202 ')
        expect(way.received).toEqual([posted.event, posted.event, posted.event])
      })
      await fc.assert(arrives, { numRuns: COUNT })
    },
    Math.max(180_000, COUNT * 100),
  )

  it(
    'that is passed on has the headers that came in binary mode, and its own values in others',
    async () => {
      await using way = await startWay({ passesOn: true })
      const arrives = fc.asyncProperty(postedEvents, async (posted) => {
        way.messages.length = 0
        way.received.length = 0
        expect(await way.post(posted)).toBe('202 ')
        expect({ ...way.received[2] }).toEqual(posted.event)
        const [{ headers, body } = { headers: {}, body: undefined }] = way.messages
        if (posted.headers['ce-id'] !== undefined) {
          expect(way.received.map((event) => ({ ...event }))).toEqual([posted.event, posted.event, posted.event])
          expect({ ...ofEvent(headers), body }).toEqual({ ...ofEvent(posted.headers), body: posted.body })
        } else if (headers['ce-id'] !== undefined) {
          const { data: _, datacontenttype, ...attributes } = posted.event
          expect({ ...ofEvent(headers) }).toEqual({
            ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`ce-${name}`, carried(value)])),
            ...(datacontenttype && { 'content-type': datacontenttype }),
          })
        }
      })
      await fc.assert(arrives, { numRuns: COUNT })
    },
    Math.max(180_000, COUNT * 100),
  )
})

/** Leaves out what one connection has. */
function ofEvent(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => /^(?:ce-|content-type$)/.test(name)))
}

/** A value as a header, encoded only where HTTP cannot carry it. */
function carried(value: unknown): string {
  const text = String(value)
  if (/^(?! )[ -~]*(?<! )$/.test(text)) return text
  return [...Buffer.from(text)]
    .map((byte) =>
      byte > 0x20 && byte < 0x7f && !'"%'.includes(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('')
}
