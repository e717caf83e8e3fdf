import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { waitFor } from '@taproom/testkit'
import protobuf from 'protobufjs'
import { describe, expect, it } from 'vitest'
import {
  gzipped,
  listTraces,
  openTraces,
  readStatus,
  readTrace,
  request,
  send,
  spanId,
  traceId,
} from '../fixtures/spans.ts'

const PROTOBUF = { 'Content-Type': 'application/x-protobuf' }
const { Writer } = protobuf

/** A request in protobuf with one span that has one attribute, whose value is `depth` lists inside each other. */
function nested(depth: number): Uint8Array {
  let value = Writer.create().uint32(10).string('x').finish()
  for (let level = 0; level < depth; level += 1) {
    const list = Writer.create().uint32(10).bytes(value).finish()
    value = Writer.create().uint32(42).bytes(list).finish()
  }
  const attribute = Writer.create().uint32(10).string('deep').uint32(18).bytes(value).finish()
  return requestOf(spanWith(Writer.create().uint32(74).bytes(attribute).finish()))
}

/** A span's bytes: its ids, and what follows. */
function spanWith(...content: readonly Uint8Array[]): Uint8Array {
  const ids = Writer.create()
    .uint32(10)
    .bytes(Buffer.from(traceId(1), 'hex'))
    .uint32(18)
    .bytes(Buffer.from(spanId(1), 'hex'))
  return Buffer.concat([ids.finish(), ...content])
}

/** Two bytes each. */
const EMPTY_EVENTS = [Buffer.alloc(1_000_000, Buffer.from([90, 0]))]

function requestOf(span: Uint8Array): Uint8Array {
  const scopeSpans = Writer.create().uint32(18).bytes(span).finish()
  const resourceSpans = Writer.create().uint32(18).bytes(scopeSpans).finish()
  return Writer.create().uint32(10).bytes(resourceSpans).finish()
}

describe('POST /v1/traces', () => {
  it('takes OTLP’s JSON as its specification has it: hex ids, numbers of 64 bits as texts or numbers, unknown members', async () => {
    await using console = await openTraces()
    const span = {
      traceId: '5B8EFFF798038103D269B633813FC60C',
      spanId: 'EEE19B7EC3C1B174',
      parentSpanId: 'EEE19B7EC3C1B173',
      flags: 257,
      name: 'I’m a server span',
      startTimeUnixNano: 1544712660000000000,
      endTimeUnixNano: '1544712661000000000',
      kind: 2,
      attributes: [
        { key: 'text', value: { intValue: '9007199254740993' } },
        { key: 'number', value: { intValue: 12 } },
        { key: 'not a number', value: { doubleValue: 'NaN' } },
        { key: 'bytes', value: { bytesValue: 'AAEC' } },
        { key: 'map', value: { kvlistValue: { values: [{ key: 'in', value: { boolValue: true } }] } } },
        { key: 'list', value: { arrayValue: { values: [{ doubleValue: 1.5 }, {}] } } },
        { key: 'empty', value: {} },
        { key: '__proto__', value: { stringValue: 'a name like others' } },
      ],
      status: null,
      inventedLater: [1, 2],
    }
    const answer = await send(
      console,
      JSON.stringify({
        resourceSpans: [
          {
            resource: { attributes: [{ key: 'service.name', value: { stringValue: 'my.service' } }] },
            scopeSpans: [{ scope: { name: 'my.library' }, spans: [span] }],
          },
        ],
      }),
    )
    expect(answer).toMatchObject({ status: 200, type: 'application/json' })
    expect(answer.json()).toEqual({})
    const [shown] = await readTrace(console, '5b8efff798038103d269b633813fc60c')
    expect(shown).toMatchObject({
      spanId: 'eee19b7ec3c1b174',
      parentSpanId: 'eee19b7ec3c1b173',
      service: 'my.service',
      scope: 'my.library',
      kind: 'server',
      status: 'unset',
      startedAt: 1544712660000,
      durationMs: 1000,
    })
    expect(Object.entries(shown?.attributes ?? {})).toEqual([
      ['text', '9007199254740993'],
      ['number', 12],
      ['not a number', 'NaN'],
      ['bytes', 'AAEC'],
      ['map', { in: true }],
      ['list', [1.5, null]],
      ['empty', null],
      ['__proto__', 'a name like others'],
    ])
  })

  it('answers an empty request with success, in the encoding of the request', async () => {
    await using console = await openTraces()
    expect(await send(console, '{}')).toMatchObject({ status: 200, type: 'application/json' })
    const answer = await send(console, new Uint8Array(), PROTOBUF)
    expect(answer).toMatchObject({ status: 200, type: 'application/x-protobuf', bytes: new Uint8Array() })
  })

  it('says in partial_success how many spans it did not keep, and why', async () => {
    await using console = await openTraces()
    const good = request({ trace: 1, span: 1 })
    const bad = request({ trace: 2, span: 0 }, { trace: 0, span: 2 })
    const body = JSON.stringify({ resourceSpans: [...good.resourceSpans, ...bad.resourceSpans] })
    expect((await send(console, body)).json()).toEqual({
      partialSuccess: {
        rejectedSpans: '2',
        errorMessage: 'a span id is not 8 bytes, or is all zeros; a trace id is not 16 bytes, or is all zeros',
      },
    })
    expect(await listTraces(console)).toMatchObject([{ traceId: traceId(1) }])
    const answer = await send(console, requestOf(Writer.create().uint32(42).string('no ids').finish()), PROTOBUF)
    const inner = new protobuf.Type('Partial')
      .add(new protobuf.Field('rejected', 1, 'int32'))
      .add(new protobuf.Field('message', 2, 'string'))
    const outer = new protobuf.Type('Answer').add(inner).add(new protobuf.Field('partial', 1, 'Partial'))
    expect(outer.toObject(outer.decode(answer.bytes))).toEqual({
      partial: { rejected: 1, message: 'a trace id is not 16 bytes, or is all zeros' },
    })
  })

  const invalid = {
    'no JSON': ['{"resourceSpans":', {}, 400, /JSON/],
    'JSON of another shape': ['{"resourceSpans":{}}', {}, 400, /resourceSpans: expected an array of objects, not \{\}/],
    'a time that is none': [
      JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ startTimeUnixNano: 'noon' }] }] }] }),
      {},
      400,
      /startTimeUnixNano: expected an integer of 64 bits, not "noon"/,
    ],
    'JSON deeper than any attribute': [
      `{"resourceSpans":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      {},
      400,
      /deep|nest/,
    ],
    'bytes that are no protobuf': ['\u0007garbage', PROTOBUF, 400, /no ExportTraceServiceRequest in protobuf/],
    'a message that is cut off': [nested(0).subarray(0, 30), PROTOBUF, 400, /cut off/],
    'lists inside each other without end': [nested(2000), PROTOBUF, 400, /more than 16 levels/],
    'what is not gzip': ['{}', { 'Content-Encoding': 'gzip' }, 400, /not gzip/],
    'what inflates beyond all bounds': [
      gzipSync(Buffer.alloc(16 * 1024 * 1024, ' ')),
      { 'Content-Encoding': 'gzip' },
      413,
      /longer than 8388608 bytes when it is inflated/,
    ],
    'more than a request may have': [Buffer.alloc(9 * 1024 * 1024, ' '), {}, 413, /longer than 8388608 bytes/],
    'empty events by the hundred thousand': [requestOf(spanWith(...EMPTY_EVENTS)), PROTOBUF, 413, /more than 400000/],
    'another compression': ['{}', { 'Content-Encoding': 'br' }, 415, /Content-Encoding "br": expected gzip/],
    'another type': [
      '{}',
      { 'Content-Type': 'text/plain' },
      415,
      /expected application\/x-protobuf or application\/json/,
    ],
    'no type': ['{}', { 'Content-Type': 'constructor' }, 415, /Content-Type "constructor"/],
  } as const satisfies Record<string, readonly [string | Uint8Array, Record<string, string>, number, RegExp]>

  it.each(Object.entries(invalid))('refuses %s, and says so in the encoding of the request', async (_name, given) => {
    const [body, headers, status, reason] = given
    await using console = await openTraces()
    const answer = await send(console, body, headers)
    expect(answer.status).toBe(status)
    const isProtobuf = 'Content-Type' in headers && headers['Content-Type'] === PROTOBUF['Content-Type']
    expect(answer.type).toBe(isProtobuf ? 'application/x-protobuf' : 'application/json')
    const { code, message } = isProtobuf
      ? readStatus(answer.bytes)
      : (answer.json() as { code: number; message: string })
    expect(code).toBe(3)
    expect(message).toMatch(reason)
    expect(await listTraces(console)).toEqual([])
  })

  it('refuses for the moment what does not fit beside the requests that are being read', async () => {
    await using console = await openTraces()
    const body = `${' '.repeat(4_000_000)}${JSON.stringify(request({ trace: 1, span: 1 }))}`
    /** A request that never ends. */
    const startSender = () => {
      const socket = connect(console.port, '127.0.0.1')
      socket.on('error', () => undefined)
      const head = `POST /v1/traces HTTP/1.1\r\nHost: 127.0.0.1:${console.port}\r\nContent-Type: application/json\r\n`
      socket.write(`${head}Content-Length: 8000000\r\n\r\n`)
      socket.write(Buffer.alloc(7_999_999, ' '))
      return socket
    }
    const senders = Array.from({ length: 8 }, startSender)
    const refused = await waitFor('a refusal', async () => {
      // In place of one that was itself refused, as it came beside the body below.
      senders.push(startSender())
      const answer = await send(console, body)
      return answer.status === 503 && answer
    })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.json()).toEqual({ code: 14, message: 'too many requests at once' })
    for (const sender of senders) sender.destroy()
    await waitFor('room', async () => (await send(console, body)).status === 200)
  })

  it('takes gzip', async () => {
    await using console = await openTraces()
    const { body, headers } = gzipped(JSON.stringify(request({ trace: 1, span: 1 })))
    expect((await send(console, body, headers)).status).toBe(200)
    expect(await listTraces(console)).toHaveLength(1)
  })
})
