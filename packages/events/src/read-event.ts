import type { IncomingMessage } from 'node:http'
import { type CloudEvent, DEFAULT_BODY_LIMIT_BYTES } from './cloud-event.ts'
import { EventError } from './errors.ts'
import { parseEvent } from './parse-event.ts'

/** How much of a request is taken. */
export interface ReadEventOptions {
  /** Largest body in bytes; default 1 MiB. */
  readonly bodyLimitBytes?: number
}

/**
 * A body beyond the limit is read to its end, so that the client gets the answer and the connection stays usable, but
 * only up to this many times the limit.
 */
const DRAIN_FACTOR = 8

/**
 * Reads one event from a request whose body nothing has read yet, in binary or structured mode.
 *
 * @throws EventError as `parseEvent` does, also for a repeated `ce-` or `Content-Type` header, a `Content-Encoding`, and
 * with status 413 for a body beyond the limit.
 * Rejects with the connection's own error when the client leaves before the end.
 */
export async function readEvent(request: IncomingMessage, options: ReadEventOptions = {}): Promise<CloudEvent> {
  const body = await readBody(request, options.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES)
  checkNotRepeated(request.rawHeaders)
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new EventError('invalid-data', 'data', `Content-Encoding ${encoding} is not supported`)
  }
  return parseEvent(request.headers, body)
}

async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  if (request.readableDidRead) throw new TypeError('the body was read already: receive events before any body parser')
  const drainBytes = limitBytes * DRAIN_FACTOR
  if (Number(request.headers['content-length'] ?? 0) > drainBytes) {
    request.resume()
    throw tooLarge(limitBytes)
  }
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0
  request
    .on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limitBytes) chunks.push(chunk)
      else chunks.length = 0
      if (size > drainBytes) reject(tooLarge(limitBytes))
    })
    .on('end', () => {
      if (size > limitBytes) reject(tooLarge(limitBytes))
      else resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks))
    })
    .on('error', reject)
    .on('close', () => reject(new Error('the client left before the end of the event')))
  return promise
}

function checkNotRepeated(rawHeaders: readonly string[]): void {
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    const isContentType = name === 'content-type'
    if (!isContentType && !name.startsWith('ce-')) continue
    if (seen.has(name)) {
      const attribute = isContentType ? 'datacontenttype' : name.slice(3)
      throw new EventError('repeated-attribute', attribute, `${attribute} is given more than once`)
    }
    seen.add(name)
  }
}

function tooLarge(limitBytes: number): EventError {
  return new EventError('data-too-large', 'data', `the event is larger than ${limitBytes} bytes`)
}
