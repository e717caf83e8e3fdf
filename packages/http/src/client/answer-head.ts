import { isHeaderName, isHeaderValue } from '../header-syntax.ts'
import { HttpClientError } from './http-client-error.ts'
import type { AnswerHead, AnswerHeaders } from './http-request.ts'

/** How long the body is: a number of bytes, until its last chunk, or until the connection ends. */
export type BodyLength = number | 'chunked' | 'until-close'

/** The head of an answer, and what it says of its body and its connection. */
export interface FramedHead extends AnswerHead {
  readonly length: BodyLength
  /** Whether the other side takes another request over the connection. */
  readonly isPersistent: boolean
  /** Seconds after which the other side closes the connection when it is idle, if it says so; else infinite. */
  readonly keepAliveSeconds: number
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/
const DIGITS = /^\d+$/
const KEEP_ALIVE_SECONDS = /(?:^|,)\s*timeout=(\d{1,9})/i
/** Of a head that is kept to be compared with the next one. */
const MOST_KEPT = 1024

/** Reads the heads of one origin's answers. Most are the same as the one before, which is then returned again. */
export class AnswerHeads {
  #text: string | undefined
  #head: FramedHead | undefined

  /** See {@link readAnswerHead}. */
  read(text: string): FramedHead {
    if (text === this.#text && this.#head !== undefined) return this.#head
    const head = readAnswerHead(text)
    if (text.length <= MOST_KEPT) {
      this.#text = text
      this.#head = head
    }
    return head
  }
}

/**
 * Reads the head of an answer, without its empty line, as strictly as RFC 9112 has it: an answer that two readers could read in two ways is
 * refused.
 *
 * @throws {HttpClientError} with `HTTP_ANSWER_INVALID`
 */
export function readAnswerHead(text: string): FramedHead {
  const lines = text.split('\r\n')
  const [, minor, code] = STATUS_LINE.exec(lines[0] ?? '') ?? refuse('status line')
  const status = Number(code)
  const isLatest = minor === '1'
  const headers: Record<string, string | string[]> = Object.create(null)
  for (let index = 1; index < lines.length; index += 1) {
    const { name, value } = readHeader(lines[index] ?? '')
    const before = headers[name]
    if (Array.isArray(before)) before.push(value)
    else headers[name] = before === undefined ? value : [before, value]
  }
  const declared = declaredLength(headers, isLatest)
  // RFC 9112, section 6.3: such an answer has no body, whatever it declares.
  const isBodiless = status < 200 || status === 204 || status === 304
  const hasBody = declared === 'chunked' || Number(declared) > 0
  if (status < 200 && hasBody) refuse('framing')
  const ends = isBodiless ? hasBody : declared === 'until-close'
  const [, seconds] = KEEP_ALIVE_SECONDS.exec(String(headers['keep-alive'] ?? '')) ?? []
  return {
    status,
    headers: frozen(headers),
    length: isBodiless ? 0 : declared,
    isPersistent: status !== 101 && !ends && staysOpen(headers, isLatest),
    keepAliveSeconds: seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds),
  }
}

/** The same head is returned for several answers. */
function frozen(headers: Record<string, string | string[]>): AnswerHeaders {
  for (const name in headers) Object.freeze(headers[name])
  return Object.freeze(headers)
}

/**
 * Reads a line of a head or of trailers.
 *
 * @throws {HttpClientError} with `HTTP_ANSWER_INVALID`
 */
export function readHeader(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(colon, 0))
  if (!isHeaderName(name) || !isHeaderValue(line)) refuse('header')
  return { name: name.toLowerCase(), value: withoutBlanks(line.slice(colon + 1)) }
}

/** Without spaces and tabs at both ends; other white space belongs to a value, and `trim` would take it. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isBlank(text.charCodeAt(start))) start += 1
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function isBlank(character: number): boolean {
  return character === 0x20 || character === 0x09
}

/** The length of the body by the headers (RFC 9112, section 6.3). Two framings, or one that is invalid, are refused for every status. */
function declaredLength(headers: AnswerHeaders, isLatest: boolean): BodyLength {
  const { 'transfer-encoding': coding, 'content-length': text } = headers
  if (coding !== undefined) {
    if (text !== undefined || !isLatest) return refuse('framing')
    return typeof coding === 'string' && coding.toLowerCase() === 'chunked' ? 'chunked' : refuse('transfer coding')
  }
  if (text === undefined) return 'until-close'
  const length = typeof text === 'string' && DIGITS.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(length) ? length : refuse('content length')
}

function staysOpen({ connection }: AnswerHeaders, isLatest: boolean): boolean {
  if (connection === undefined) return isLatest
  const words = String(connection).toLowerCase().split(',')
  const has = (option: string) => words.some((word) => withoutBlanks(word) === option)
  return !has('close') && (isLatest || has('keep-alive'))
}

function refuse(what: string): never {
  throw new HttpClientError('HTTP_ANSWER_INVALID', `the answer is not HTTP/1.1: its ${what} is invalid`)
}
