import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import protobuf from 'protobufjs/minimal.js'

export type Encoding = 'protobuf' | 'json'

const TYPES = { protobuf: 'application/x-protobuf', json: 'application/json' } as const

/** OTLP's encoding by its media type. */
export const ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
  [TYPES.protobuf, 'protobuf'],
  [TYPES.json, 'json'],
])

/** Spans that were not kept, and why. */
export interface Rejected {
  readonly spans: number
  readonly reason: string
}

/** Answers with an `ExportTraceServiceResponse`; `partial_success` is there only when spans were rejected. */
export function sendTaken(response: ServerResponse, encoding: Encoding, rejected: Rejected | undefined): void {
  if (encoding === 'json') {
    const partialSuccess = rejected && { rejectedSpans: String(rejected.spans), errorMessage: rejected.reason }
    send(response, 200, 'json', Buffer.from(JSON.stringify({ partialSuccess })))
    return
  }
  const writer = protobuf.Writer.create()
  if (rejected !== undefined) {
    writer.uint32(10).fork().uint32(8).int64(rejected.spans).uint32(18).string(rejected.reason).ldelim()
  }
  send(response, 200, 'protobuf', writer.finish())
}

export interface Refusal {
  readonly status: 400 | 413 | 415 | 503
  readonly message: string
  readonly headers?: OutgoingHttpHeaders
}

/** gRPC's codes, which a `Status` has. */
const CODES = { 400: 3, 413: 3, 415: 3, 503: 14 } as const

/** Answers with a `google.rpc.Status`, as OTLP has it for every failure. */
export function sendRefused(response: ServerResponse, encoding: Encoding, refusal: Refusal): void {
  const { status, message, headers } = refusal
  const code = CODES[status]
  const body =
    encoding === 'json'
      ? Buffer.from(JSON.stringify({ code, message }))
      : protobuf.Writer.create().uint32(8).int32(code).uint32(18).string(message).finish()
  send(response, status, encoding, body, headers)
}

function send(
  response: ServerResponse,
  status: number,
  encoding: Encoding,
  body: Uint8Array,
  headers: OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, {
    'Cache-Control': 'no-store',
    ...headers,
    'Content-Type': TYPES[encoding],
    'Content-Length': body.length,
  })
  response.end(body)
}
