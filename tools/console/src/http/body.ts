import { JsonError, parseJson } from '@taproom/core/limits'
import { takeBody } from '@taproom/http'
import { HttpProblem } from '@taproom/service'
import type { Asked } from './route.ts'

/** Bytes of a refused body that are read and dropped, so that the caller gets the answer. */
const DRAIN_BYTES = 16 * 1024 * 1024

/**
 * The body of a request, of at most `limitBytes`.
 *
 * @throws {HttpProblem} 413 when it is longer, 400 when it breaks off
 */
export function readBytes({ request }: Pick<Asked, 'request'>, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    takeBody(request, {
      limitBytes,
      drainBytes: Math.max(limitBytes, DRAIN_BYTES),
      onBody: resolve,
      onTooLarge: () => reject(new HttpProblem(413, { detail: `the body is longer than ${limitBytes} bytes` })),
      onError: (cause) => reject(new HttpProblem(400, { detail: 'the body ended early', cause })),
    })
  })
}

/**
 * The JSON object of a request's body, of at most `limitBytes`.
 *
 * @throws {HttpProblem} 415 when it does not say that it is JSON, 413 when it is too long, 400 when it is no JSON object
 */
export async function readJson(asked: Asked, limitBytes: number): Promise<Readonly<Record<string, unknown>>> {
  const { 'content-type': type = '' } = asked.request.headers
  if (type.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    asked.request.resume()
    throw new HttpProblem(415, { detail: `Content-Type "${type}": expected application/json` })
  }
  const body = parsed((await readBytes(asked, limitBytes)).toString())
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>
  throw new HttpProblem(400, { detail: 'the body is not a JSON object' })
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonError) throw new HttpProblem(400, { detail: `the body: ${error.message}` })
    throw error
  }
}
