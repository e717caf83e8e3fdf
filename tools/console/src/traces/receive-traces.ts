import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { takeBody } from '@taproom/http'
import type { SpanView } from '../api/traces.ts'
import type { Handler } from '../http/route.ts'
import { KnownTexts } from './known-texts.ts'
import { ENCODINGS, type Encoding, type Refusal, type Rejected, sendRefused, sendTaken } from './otlp-answer.ts'
import { OtlpError } from './otlp-error.ts'
import { readJson } from './otlp-json.ts'
import { readProtobuf } from './otlp-protobuf.ts'
import { Reading } from './reading.ts'
import type { TraceStore } from './trace-store.ts'

/** Bytes of one request, as it comes and inflated: an SDK sends 512 spans at a time, a few hundred KiB. */
const MAX_BYTES = 8 * 1024 * 1024
/** Bytes of a refused request that are read and dropped, so that its sender gets the answer. */
const DRAIN_BYTES = 64 * 1024 * 1024
/** Bytes of all requests that are being read. */
const MAX_HELD_BYTES = 64 * 1024 * 1024

const READERS = { protobuf: readProtobuf, json: readJson } as const
const inflate = promisify(gunzip)

/** `POST /v1/traces`: takes spans as OTLP/HTTP 1 has it, and answers in the encoding of the request. */
export function receiveTraces(store: TraceStore): Handler {
  const held = { bytes: 0 }
  const texts = new KnownTexts()
  /** One at a time is inflated and read. */
  let last: Promise<unknown> = Promise.resolve()
  return async ({ request, response }) => {
    const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
    const encoding = ENCODINGS.get(type)
    if (encoding === undefined) {
      request.resume()
      const message = `Content-Type "${type}": expected ${[...ENCODINGS.keys()].join(' or ')}`
      return sendRefused(response, 'json', {
        status: 415,
        message,
        headers: { Accept: [...ENCODINGS.keys()].join(', ') },
      })
    }
    const compression = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
    if (compression !== 'gzip' && compression !== 'identity') {
      request.resume()
      const message = `Content-Encoding "${compression}": expected gzip, or none`
      return sendRefused(response, encoding, { status: 415, message, headers: { 'Accept-Encoding': 'gzip' } })
    }
    const own = { bytes: 0 }
    try {
      const body = await take(request, held, own)
      const work = last.then(async () => keep(store, await read(body, { compression, encoding, texts })))
      last = work.catch(() => undefined)
      sendTaken(response, encoding, await work)
    } catch (error) {
      if (!(error instanceof OtlpError)) throw error
      sendRefused(response, encoding, refusalOf(error))
    } finally {
      held.bytes -= own.bytes
    }
  }
}

interface HowToRead {
  readonly compression: 'gzip' | 'identity'
  readonly encoding: Encoding
  readonly texts: KnownTexts
}

/** The spans of a request, by the turns of the event loop in which they were read. */
async function read(body: Buffer, { compression, encoding, texts }: HowToRead): Promise<readonly SpanView[][]> {
  const bytes = compression === 'gzip' ? await inflated(body) : body
  const reading = new Reading(texts)
  const turns: SpanView[][] = [[]]
  for (const span of READERS[encoding](bytes, reading)) {
    if (span !== undefined) turns.at(-1)?.push(span)
    if (!reading.isTurnOver()) continue
    turns.push([])
    await nextTurn()
  }
  return turns
}

/** Stores the spans once the whole request was read: a refused request leaves no spans. */
async function keep(store: TraceStore, turns: readonly SpanView[][]): Promise<Rejected | undefined> {
  const reasons = new Set<string>()
  let spans = 0
  for (const [index, turn] of turns.entries()) {
    if (index > 0) await nextTurn()
    const rejected = store.add(turn)
    if (rejected === undefined) continue
    spans += rejected.spans
    reasons.add(rejected.reason)
  }
  return spans === 0 ? undefined : { spans, reason: [...reasons].join('; ') }
}

async function inflated(body: Buffer): Promise<Buffer> {
  try {
    return await inflate(body, { maxOutputLength: MAX_BYTES })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new OtlpError('OTLP_TOO_LARGE', `the body is longer than ${MAX_BYTES} bytes when it is inflated`, { cause })
    }
    throw new OtlpError('OTLP_INVALID', 'the body is not gzip, as its Content-Encoding says', { cause })
  }
}

/** The body of a request, as long as all of them together are within bounds. Its bytes are counted in `held` and in `own`. */
function take(request: IncomingMessage, held: { bytes: number }, own: { bytes: number }): Promise<Buffer> {
  return new Promise<Buffer>((resolve, reject) => {
    takeBody(request, {
      limitBytes: MAX_BYTES,
      drainBytes: DRAIN_BYTES,
      onBytes: (bytes) => {
        if (held.bytes + bytes > MAX_HELD_BYTES) throw new OtlpError('OTLP_BUSY', 'too many requests at once')
        held.bytes += bytes
        own.bytes += bytes
      },
      onBody: resolve,
      onTooLarge: () => reject(new OtlpError('OTLP_TOO_LARGE', `the body is longer than ${MAX_BYTES} bytes`)),
      onError: (error) =>
        reject(error instanceof OtlpError ? error : new OtlpError('OTLP_INVALID', 'the body ended early')),
    })
  })
}

const STATUSES = { OTLP_INVALID: 400, OTLP_TOO_LARGE: 413, OTLP_BUSY: 503 } as const

function refusalOf({ code, message }: OtlpError): Refusal {
  const status = STATUSES[code]
  return { status, message, ...(status === 503 && { headers: { 'Retry-After': '1' } }) }
}
