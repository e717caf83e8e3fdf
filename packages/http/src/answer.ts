import type { IncomingMessage, ServerResponse } from 'node:http'
import { endToEndHeaders } from './connection-headers.ts'

/** What is wrong with the head of a service's answer, if anything: what would be passed on of it would not be what the service said. */
export function answerFault(answer: IncomingMessage, maxHeaders: number): string | undefined {
  const { statusCode = 0, rawHeaders } = answer
  const coding = answer.headers['transfer-encoding']
  if (statusCode < 200 || statusCode > 599) return `its status is ${statusCode}`
  if (rawHeaders.length > 2 * maxHeaders) return `it has more than ${maxHeaders} headers`
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'its Transfer-Encoding is not chunked'
  if (coding !== undefined && answer.httpVersion === '1.0') return 'it is HTTP/1.0 with a Transfer-Encoding'
  return undefined
}

const NOTHING = Buffer.alloc(0)
const PRINTABLE = /^[\t\x20-\x7e]+$/

/**
 * Passes an answer back as it comes, but for a phrase beside its status that Node would not write. Its length is told as the service told it, else Node sends it in chunks, or up to the connection's end
 * to a client of HTTP/1.0. An answer that breaks off breaks the client's connection, so that it never looks complete.
 *
 * @throws {TypeError} for a head that Node does not send
 */
export function passBack(answer: IncomingMessage, response: ServerResponse): void {
  const status = answer.statusCode ?? 502
  const isLeftOut = status === 204 ? isContentLength : undefined
  const { headers } = endToEndHeaders(answer.rawHeaders, isLeftOut)
  const phrase = answer.statusMessage ?? ''
  if (PRINTABLE.test(phrase)) response.writeHead(status, phrase, headers)
  else response.writeHead(status, headers)
  // The head goes out at once. `flushHeaders` would write it in UTF-8, and change what bytes beyond ASCII are in it.
  if (response.req.method !== 'HEAD' && status !== 204 && status !== 304) response.write(NOTHING)
  answer.once('error', () => response.destroy())
  answer.once('close', () => {
    if (!answer.complete) response.destroy()
  })
  answer.pipe(response)
}

/** There is none in a 204 (RFC 9110, section 8.6), and a client that believed one would wait for a body. */
function isContentLength(name: string): boolean {
  return name === 'content-length'
}
