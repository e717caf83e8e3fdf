import type { IncomingMessage } from 'node:http'
import { BodyBuffer } from './body-buffer.ts'
import { joinedBody } from './joined-body.ts'

/** Limits and callbacks for reading a request's body. Exactly one of the last three is called, once. */
export interface BodyTaker {
  readonly limitBytes: number
  /** A body beyond the limit is read and dropped up to this, so that the client gets the answer and the connection stays usable. Default: the limit. */
  readonly drainBytes?: number
  /** Called with the size of each piece that is kept. If it throws, the body is refused and the rest is read and dropped. */
  readonly onBytes?: ((bytes: number) => void) | undefined
  readonly onBody: (body: Buffer) => void
  readonly onTooLarge: () => void
  /** Called when the body ended early, or with what `onBytes` threw. */
  readonly onError: (error: unknown) => void
}

/** Reads a request's body that nothing has read yet. By callbacks, because with many bodies promises cost a noticeable share. */
export function takeBody(request: IncomingMessage, taker: BodyTaker): void {
  const { limitBytes, drainBytes = limitBytes, onBytes } = taker
  if (Number(request.headers['content-length'] ?? 0) > drainBytes) {
    request.resume()
    taker.onTooLarge()
    return
  }
  const body = new BodyBuffer()
  let size = 0
  let isDone = false
  const end = (tell: () => void) => {
    if (isDone) return
    isDone = true
    tell()
    body.clear()
  }
  const keep = (chunk: Buffer) => {
    try {
      onBytes?.(chunk.length)
      body.add(chunk)
    } catch (refusal) {
      end(() => taker.onError(refusal))
    }
  }
  joinedBody(request)
    .on('data', (piece: Buffer) => {
      if (isDone) return
      size += piece.length
      if (size <= limitBytes) keep(piece)
      else body.clear()
      if (size > drainBytes) end(taker.onTooLarge)
    })
    .on('end', () => end(size > limitBytes ? taker.onTooLarge : () => taker.onBody(body.bytes)))
    .on('error', (error) => end(() => taker.onError(error)))
    .on('close', () => {
      // `isDone` comes first, because every request closes, and creating an error costs as much as reading a small body.
      if (!isDone) end(() => taker.onError(new Error('the client left before the end of the body')))
    })
}

export interface SomeBody {
  readonly bytes: Buffer
  /** Whether there was more than the limit. */
  readonly isCut: boolean
  /** The error that ended the body too early. */
  readonly brokenBy?: unknown
}

/** Reads at most `limitBytes` of an answer's body; drops the connection if it is longer. Never rejects. */
export async function readSome(chunks: AsyncIterable<Uint8Array>, limitBytes: number): Promise<SomeBody> {
  const body = new BodyBuffer()
  try {
    for await (const chunk of chunks) {
      body.add(chunk)
      if (body.length > limitBytes) return { bytes: body.bytes.subarray(0, limitBytes), isCut: true }
    }
  } catch (brokenBy) {
    return { bytes: body.bytes, isCut: false, brokenBy }
  }
  return { bytes: body.bytes, isCut: false }
}

/** Reads all of an answer's body; undefined, with the connection dropped, if it is longer than `limitBytes`. Rejects when it breaks off. */
export async function readBody(
  chunks: AsyncIterable<Uint8Array> | null,
  limitBytes: number,
): Promise<Buffer | undefined> {
  if (chunks === null) return Buffer.alloc(0)
  const { bytes, isCut, brokenBy } = await readSome(chunks, limitBytes)
  if (brokenBy !== undefined) throw brokenBy
  return isCut ? undefined : bytes
}
