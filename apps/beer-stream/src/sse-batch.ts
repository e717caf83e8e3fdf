/** Server-sent events, encoded once for many clients. */
export interface SseBatch {
  readonly plain: Buffer
  /** `plain` as one chunk of HTTP/1.1's chunked coding. */
  readonly chunked: Buffer
}

const lineEnd = Buffer.from('\r\n')

export function createBatch(texts: readonly Buffer[]): SseBatch {
  const plain = Buffer.concat(texts)
  return { plain, chunked: Buffer.concat([Buffer.from(`${plain.length.toString(16)}\r\n`), plain, lineEnd]) }
}

/** Callers must pass `event` and `id` without line ends and `data` of one line. */
export function encodeEvent(fields: { readonly event?: string; readonly id?: string; readonly data: string }): Buffer {
  const event = fields.event === undefined ? '' : `event: ${fields.event}\n`
  const id = fields.id === undefined ? '' : `id: ${fields.id}\n`
  return Buffer.from(`${event}${id}data: ${fields.data}\n\n`)
}

/** Replaces the id in an event made by {@link encodeEvent}. */
export function withId(text: Buffer, id: string): Buffer {
  return Buffer.concat([Buffer.from(`id: ${id}`), text.subarray(text.indexOf('\n'))])
}

/** The last event of a failed stream; its data is a problem (RFC 9457). Without id, so a client resumes before it. */
export function encodeStreamError(itemWaitMs: number): Buffer {
  const detail = `no priced beer arrived within ${itemWaitMs} ms`
  return encodeEvent({
    event: 'stream-error',
    data: JSON.stringify({ type: 'about:blank', title: 'Gateway Timeout', status: 504, detail }),
  })
}

/**
 * Sets the client's wait before it reconnects: the first line of the block of the next event. Several clients take a block without data for
 * an event.
 */
export function encodeRetry(ms: number): Buffer {
  return Buffer.from(`retry: ${ms}\n`)
}

/** A comment line, which clients ignore; keeps a quiet connection alive. It belongs to the block of the next event. */
export const heartbeatBatch: SseBatch = createBatch([Buffer.from(': heartbeat\n')])
