import type { IncomingMessage, ServerResponse } from 'node:http'
import { endToEndHeaders } from './connection-headers.ts'

/** Headers of an answer; Node limits their bytes to 16 KiB. */
const MAX_HEADERS = 500

/** Why the head of a service's answer cannot be passed on unchanged; undefined when it can. */
export function answerFault(answer: IncomingMessage): string | undefined {
  const { statusCode = 0, rawHeaders } = answer
  const coding = answer.headers['transfer-encoding']
  if (statusCode < 200 || statusCode > 599) return `its status is ${statusCode}`
  if (rawHeaders.length > 2 * MAX_HEADERS) return `it has more than ${MAX_HEADERS} headers`
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'its Transfer-Encoding is not chunked'
  if (coding !== undefined && answer.httpVersion === '1.0') return 'it is HTTP/1.0 with a Transfer-Encoding'
  return undefined
}

const NOTHING = Buffer.alloc(0)
const PRINTABLE = /^[\t\x20-\x7e]+$/

/**
 * Passes an answer back as it comes, except a reason phrase that Node would not write. It keeps its Content-Length; without one Node sends it
 * in chunks, or to a client of HTTP/1.0 until the connection ends. An answer that breaks off breaks the client's connection, so that it never
 * looks complete.
 *
 * @throws {TypeError} when Node refuses to send the head
 */
export function passBack(answer: IncomingMessage, response: ServerResponse): void {
  const status = answer.statusCode ?? 502
  // A 204 must not have one (RFC 9110, section 8.6): a client that believed it would wait for a body.
  const isLeftOut = status === 204 ? (name: string) => name === 'content-length' : undefined
  const { headers } = endToEndHeaders(answer.rawHeaders, isLeftOut)
  const phrase = answer.statusMessage ?? ''
  if (PRINTABLE.test(phrase)) response.writeHead(status, phrase, headers)
  else response.writeHead(status, headers)
  // Sends the head at once. `flushHeaders` would write it in UTF-8 and so change any bytes beyond ASCII.
  if (response.req.method !== 'HEAD' && status !== 204 && status !== 304) response.write(NOTHING)
  answer.once('error', () => response.destroy())
  answer.once('close', () => {
    if (!answer.complete) response.destroy()
  })
  answer.pipe(response)
}
