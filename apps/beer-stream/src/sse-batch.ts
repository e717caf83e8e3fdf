/** Server-sent events that many clients get, encoded once. */
export interface SseBatch {
  /** The text of the stream. */
  readonly plain: Buffer
  /** The same as one chunk of HTTP/1.1's chunked coding. */
  readonly chunked: Buffer
}

const lineEnd = Buffer.from('\r\n')

/** Joins texts of a stream into one batch. */
export function createBatch(texts: readonly Buffer[]): SseBatch {
  const plain = Buffer.concat(texts)
  return { plain, chunked: Buffer.concat([Buffer.from(`${plain.length.toString(16)}\r\n`), plain, lineEnd]) }
}

/** Text of a server-sent event. `event` and `id` hold no line ends, `data` is one line: ids and JSON made here. */
export function encodeEvent(fields: { readonly event?: string; readonly id?: string; readonly data: string }): Buffer {
  const event = fields.event === undefined ? '' : `event: ${fields.event}\n`
  const id = fields.id === undefined ? '' : `id: ${fields.id}\n`
  return Buffer.from(`${event}${id}data: ${fields.data}\n\n`)
}

/** The same event, made by {@link encodeEvent} with an id, under another id. */
export function withId(text: Buffer, id: string): Buffer {
  return Buffer.concat([Buffer.from(`id: ${id}`), text.subarray(text.indexOf('\n'))])
}

/** The last event of a stream that fails: its data is a problem as of RFC 9457. It has no id, so that a client resumes before it. */
export function encodeStreamError(itemWaitMs: number): Buffer {
  const detail = `no priced beer arrived within ${itemWaitMs} ms`
  return encodeEvent({
    event: 'stream-error',
    data: JSON.stringify({ type: 'about:blank', title: 'Gateway Timeout', status: 504, detail }),
  })
}

/** Text that tells a client how long to wait before it connects again. */
export function encodeRetry(ms: number): Buffer {
  return Buffer.from(`retry: ${ms}\n\n`)
}

/** A comment that keeps a quiet connection alive and that clients ignore. */
export const heartbeatBatch: SseBatch = createBatch([Buffer.from(': heartbeat\n\n')])
