import type { IncomingMessage } from 'node:http'
import { StatusError } from './status.ts'

/** Reads a whole request body; refused as soon as it is known to be larger than the limit. */
export async function readBody(req: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limitBytes) {
      throw new StatusError('RequestEntityTooLarge', `the request is larger than ${limitBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
