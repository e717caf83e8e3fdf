import { HttpClientError } from './errors.ts'

/** By their names in lower case, each with all its values. */
export type AnswerHeaders = Readonly<Record<string, readonly string[]>>

/** How long the body is: a number of bytes, until its last chunk, or until the connection ends. */
export type BodyLength = number | 'chunked' | 'until-close'

export interface AnswerHead {
  readonly status: number
  readonly headers: AnswerHeaders
  readonly length: BodyLength
  /** Whether the other side takes another request over the connection. */
  readonly isPersistent: boolean
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/
const NAME = /^[\w!#$%&'*+.^`|~-]+$/
/** With the white space around it; what Node allows in a header. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const LENGTH = /^\d{1,15}$/

/**
 * Reads the head of an answer, without its empty line, as strictly as RFC 9112 has it: an answer that two readers could read in two ways is
 * none.
 *
 * @throws {HttpClientError} with `HTTP_ANSWER_INVALID`
 */
export function readAnswerHead(text: string): AnswerHead {
  const lines = text.split('\r\n')
  const [, minor, code] = STATUS_LINE.exec(lines[0] ?? '') ?? refuse('status line')
  const status = Number(code)
  const headers: Record<string, string[]> = Object.create(null)
  for (let index = 1; index < lines.length; index += 1) addHeader(headers, lines[index] ?? '')
  const length = lengthOf(status, headers, minor === '1')
  const isPersistent = status !== 101 && length !== 'until-close' && staysOpen(headers, minor === '1')
  return { status, headers, length, isPersistent }
}

function addHeader(headers: Record<string, string[]>, line: string): void {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(colon, 0))
  if (!NAME.test(name) || !VALUE.test(line)) refuse('header')
  const value = line.slice(colon + 1).trim()
  const key = name.toLowerCase()
  const values = headers[key]
  if (values === undefined) headers[key] = [value]
  else values.push(value)
}

/** RFC 9112, section 6.3. */
function lengthOf(status: number, headers: AnswerHeaders, isLatest: boolean): BodyLength {
  const { 'transfer-encoding': codings, 'content-length': lengths } = headers
  if (status < 200 || status === 204 || status === 304) return 0
  if (codings !== undefined) {
    if (lengths !== undefined || !isLatest) return refuse('framing')
    return codings.length === 1 && codings[0]?.toLowerCase() === 'chunked' ? 'chunked' : refuse('transfer coding')
  }
  if (lengths === undefined) return 'until-close'
  const [length = ''] = lengths
  return lengths.length === 1 && LENGTH.test(length) ? Number(length) : refuse('content length')
}

function staysOpen({ connection: options }: AnswerHeaders, isLatest: boolean): boolean {
  if (options === undefined) return isLatest
  const words = options.join(',').toLowerCase().split(',')
  const has = (option: string) => words.some((word) => word.trim() === option)
  return !has('close') && (isLatest || has('keep-alive'))
}

function refuse(what: string): never {
  throw new HttpClientError('HTTP_ANSWER_INVALID', `the answer is not HTTP/1.1: its ${what} is invalid`)
}
