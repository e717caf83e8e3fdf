import protobuf from 'protobufjs'
import { describe, expect, it } from 'vitest'
import type { SpanView } from '../../src/api/traces.ts'
import { openTraces, readTrace, send, spanId, traceId } from '../fixtures/spans.ts'

const PROTOBUF = { 'Content-Type': 'application/x-protobuf' }
const { Writer } = protobuf

type Content = (writer: protobuf.Writer) => void

/** A message in the field of this number. */
function inside(writer: protobuf.Writer, field: number, content: Content): void {
  writer.uint32((field << 3) | 2).fork()
  content(writer)
  writer.ldelim()
}

/** `count` attributes, all with other names. */
const attributes =
  (field: number, count: number, prefix = 'a'): Content =>
  (writer) => {
    for (let at = 0; at < count; at += 1) {
      inside(writer, field, (own) => {
        own.uint32(10).string(`${prefix}${at}`)
        inside(own, 2, (value) => value.uint32(10).string('v'))
      })
    }
  }

function requestOf(resource: Content, ...spans: readonly Content[]): Uint8Array {
  const writer = Writer.create()
  inside(writer, 1, (resourceSpans) => {
    inside(resourceSpans, 1, resource)
    inside(resourceSpans, 2, (scopeSpans) => {
      for (const [index, span] of spans.entries()) {
        inside(scopeSpans, 2, (own) => {
          own.uint32(10).bytes(Buffer.from(traceId(1), 'hex'))
          own.uint32(18).bytes(Buffer.from(spanId(index + 1), 'hex'))
          span(own)
        })
      }
    })
  })
  return writer.finish()
}

const countOf = (values: object = {}) => Object.keys(values).length

async function kept(body: string | Uint8Array, headers: Record<string, string>): Promise<SpanView | undefined> {
  await using console = await openTraces()
  expect((await send(console, body, headers)).status).toBe(200)
  const [span] = await readTrace(console, traceId(1))
  return span
}

/** A span and its resource with many of everything, of which their senders have dropped some more. */
function manyInProtobuf(count: number): Uint8Array {
  const resource: Content = (writer) => {
    attributes(1, count)(writer)
    writer.uint32(16).uint32(3)
  }
  return requestOf(resource, (writer) => {
    attributes(9, count)(writer)
    writer.uint32(80).uint32(4)
    for (const [field, first] of [
      [11, 3],
      [13, 4],
    ] as const) {
      for (let at = 0; at < 150; at += 1) {
        inside(writer, field, (own) => {
          if (field === 13) own.uint32(10).bytes(Buffer.from(traceId(2), 'hex'))
          attributes(first, at === 0 ? 130 : 0)(own)
          own.uint32(((first + 1) << 3) | 0).uint32(1)
        })
      }
    }
    writer.uint32(96).uint32(5).uint32(112).uint32(6)
  })
}

function manyInJson(count: number): string {
  const list = (length: number) => Array.from({ length }, (_, at) => ({ key: `a${at}`, value: { stringValue: 'v' } }))
  const ofEach = (at: number) => ({ attributes: list(at === 0 ? 130 : 0), droppedAttributesCount: 1 })
  const span = {
    ...{ traceId: traceId(1), spanId: spanId(1), attributes: list(count), droppedAttributesCount: 4 },
    events: Array.from({ length: 150 }, (_, at) => ofEach(at)),
    droppedEventsCount: 5,
    links: Array.from({ length: 150 }, (_, at) => ({ traceId: traceId(2), ...ofEach(at) })),
    droppedLinksCount: 6,
  }
  const resource = { attributes: list(count), droppedAttributesCount: 3 }
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] })
}

describe('decisions 3.140: what is kept of a span', () => {
  it.each([
    ['protobuf', manyInProtobuf, PROTOBUF],
    ['JSON', manyInJson, {}],
  ] as const)(
    'is at most 128 attributes, events and links, and how many were left out, in %s',
    async (_name, many, type) => {
      const span = await kept(many(1000), type)
      expect([countOf(span?.attributes), span?.droppedAttributes]).toEqual([128, 1000 - 128 + 4])
      expect([countOf(span?.resource), span?.droppedResourceAttributes]).toEqual([128, 1000 - 128 + 3])
      expect([span?.events.length, span?.droppedEvents]).toEqual([128, 150 - 128 + 5])
      expect([span?.links.length, span?.droppedLinks]).toEqual([128, 150 - 128 + 6])
      for (const [first, second] of [span?.events ?? [], span?.links ?? []]) {
        expect([countOf(first?.attributes), first?.droppedAttributes]).toEqual([128, 130 - 128 + 1])
        expect([countOf(second?.attributes), second?.droppedAttributes]).toEqual([0, 1])
      }
    },
  )

  it('names nothing as left out where nothing is', async () => {
    const span = await kept(requestOf(attributes(1, 128), attributes(9, 128)), PROTOBUF)
    expect([countOf(span?.attributes), countOf(span?.resource)]).toEqual([128, 128])
    expect(Object.keys(span ?? {}).filter((name) => name.startsWith('dropped'))).toEqual([])
  })

  it('leaves an attribute out whose lists and maps have no room any more', async () => {
    const span = await kept(
      requestOf(attributes(1, 1), (writer) => {
        attributes(9, 1, 'before')(writer)
        inside(writer, 9, (own) => {
          own.uint32(10).string('list')
          inside(own, 2, (value) =>
            inside(value, 5, (list) => {
              for (let at = 0; at < 100_000; at += 1) inside(list, 1, (one) => one.uint32(24).uint32(at))
            }),
          )
        })
        inside(writer, 9, (own) => {
          own.uint32(10).string('map')
          inside(own, 2, (value) => inside(value, 6, attributes(1, 3)))
        })
      }),
      PROTOBUF,
    )
    expect(span).toMatchObject({ attributes: { before0: 'v' }, droppedAttributes: 2 })
    expect(countOf(span?.attributes)).toBe(1)
    const value = { arrayValue: { values: Array.from({ length: 100_000 }, () => ({ intValue: 1 })) } }
    const spans = [{ traceId: traceId(1), spanId: spanId(1), attributes: [{ key: 'list', value }] }]
    expect(await kept(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }), {})).toMatchObject({
      attributes: {},
      droppedAttributes: 1,
    })
  })
})

describe('decisions 3.140: a request of 378,000 attributes', () => {
  it('is read and kept in many turns of the event loop, and whole or not at all', async () => {
    await using console = await openTraces()
    let turn = 0
    let next = setImmediate(function count() {
      turn += 1
      next = setImmediate(count)
    })
    const turns: { readonly turn: number; readonly spans: number }[] = []
    using _watched = console.store.watch((spans) => turns.push({ turn, spans: spans.length }))
    const spans = Array.from({ length: 3000 }, (_, index) => attributes(9, 126, `${index}-`))
    const before = turn
    const body = requestOf(attributes(1, 1), ...spans)
    const answer = await send(console, body, PROTOBUF)
    clearImmediate(next)
    expect(answer.status).toBe(200)
    // 2000 values in a turn, twice: when they are read and when they are kept.
    expect(turns.length).toBeGreaterThan(100)
    expect(new Set(turns.map((each) => each.turn)).size).toBe(turns.length)
    expect(Math.max(...turns.map((each) => each.spans))).toBeLessThanOrEqual(17)
    expect((turns[0]?.turn ?? 0) - before).toBeGreaterThan(100)

    await using other = await openTraces()
    const broken = Buffer.concat([body, Buffer.from([10, 100])])
    expect((await send(other, broken, PROTOBUF)).status).toBe(400)
    expect(other.store.size.spans).toBe(0)
  })
})
