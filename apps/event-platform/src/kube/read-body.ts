import type { IncomingMessage } from 'node:http'
import { StatusError } from './status.ts'

/** Bodies of all requests together that are held at a time, in bytes. */
const MOST_HELD_BYTES = 64 * 1024 * 1024

/** Reads a whole request body. */
export type BodyReader = (req: IncomingMessage, limitBytes: number) => Promise<Buffer>

/**
 * Makes what reads request bodies, each refused as soon as it is known to be larger than its limit, or when 64 MiB are held for others.
 *
 * @throws {StatusError} from the reader, for a body that is refused or ends early
 */
export function createBodyReader(): BodyReader {
  let held = 0
  return async (req, limitBytes) => {
    if (Number(req.headers['content-length']) > limitBytes) throw tooLarge(limitBytes)
    const chunks: Buffer[] = []
    let size = 0
    try {
      // The connection stays, so that the answer gets through.
      for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length
        held += chunk.length
        if (size > limitBytes) throw tooLarge(limitBytes)
        if (held > MOST_HELD_BYTES) throw new StatusError('TooManyRequests', 'too many large requests at a time')
        chunks.push(chunk)
      }
    } catch (error) {
      if (error instanceof StatusError) throw error
      throw new StatusError('BadRequest', 'the request ended before its body', { cause: error })
    } finally {
      held -= size
    }
    return Buffer.concat(chunks, size)
  }
}

function tooLarge(limitBytes: number): StatusError {
  return new StatusError('RequestEntityTooLarge', `the request is larger than ${limitBytes} bytes`)
}
