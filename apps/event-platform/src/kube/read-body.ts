import type { IncomingMessage } from 'node:http'
import { takeBody } from '@taproom/http'
import { badRequest, StatusError } from './status.ts'

/** Bodies of all requests together. */
const MOST_HELD_BYTES = 64 * 1024 * 1024

/**
 * Reads request bodies; refuses one when it exceeds its limit, or when bodies of other requests hold 64 MiB.
 *
 * @throws {StatusError} from the reader, when a body is refused or ends early
 */
export function createBodyReader() {
  let held = 0
  return async (req: IncomingMessage, limitBytes: number): Promise<Buffer> => {
    let size = 0
    try {
      return await new Promise((resolve, reject) =>
        takeBody(req, {
          limitBytes,
          onBytes(bytes) {
            size += bytes
            held += bytes
            if (held > MOST_HELD_BYTES) throw new StatusError('TooManyRequests', 'too many large requests at a time')
          },
          onBody: resolve,
          onTooLarge: () =>
            reject(new StatusError('RequestEntityTooLarge', `the request is larger than ${limitBytes} bytes`)),
          onError: reject,
        }),
      )
    } catch (error) {
      if (error instanceof StatusError) throw error
      throw badRequest('the request ended before its body', { cause: error })
    } finally {
      held -= size
    }
  }
}
