import { AnswerHeads, type FramedHead, readHeader } from './answer-head.ts'
import { HttpClientError } from './http-client-error.ts'

/** Gets an answer: its head, then each piece of its body, then its end. */
export interface AnswerListener {
  onHead(head: FramedHead): void
  /** The bytes are valid only during the call. Returns false when no more is wanted: then nothing follows. */
  onBytes(bytes: Buffer): boolean
  onWhole(): void
}

type State =
  | { readonly part: keyof typeof LINES; line: Buffer; read: number }
  | { readonly part: 'body' | 'chunk'; left: number }
  | { readonly part: 'until-close' }
  /** The answer is whole. */
  | { readonly part: 'whole' }
  /** No more of it is wanted. */
  | { readonly part: 'unwanted' }

/** Of a head, and of all trailers together: what Node's servers and clients take. */
const MAX_HEAD_BYTES = 16 * 1024
/** Of a line that says how long a chunk is, with its extensions. */
const MAX_SIZE_LINE_BYTES = 1024
const CHUNK_SIZE = /^0*([\da-f]{1,8})(?:[ \t]*;[\t\x20-\x7e\x80-\xff]*)?$/i
const HEAD_END = '\r\n\r\n'
const LINE_END = '\r\n'
const NOTHING = Buffer.alloc(0)

/** Parts that are read up to an end mark, and how long each may be. */
const LINES = {
  head: { mark: HEAD_END, limit: MAX_HEAD_BYTES },
  'chunk-size': { mark: LINE_END, limit: MAX_SIZE_LINE_BYTES },
  'chunk-end': { mark: LINE_END, limit: LINE_END.length },
  trailer: { mark: LINE_END, limit: MAX_HEAD_BYTES },
} as const

/** Reads one answer from the bytes of a connection, whatever pieces they come in. Interim answers (1xx, but 101) are passed over. */
export class AnswerParser {
  readonly #listener: AnswerListener
  readonly #heads: AnswerHeads
  /** Once it has been read. */
  head: FramedHead | undefined
  #state: State = startOf('head')

  constructor(listener: AnswerListener, heads: AnswerHeads = new AnswerHeads()) {
    this.#listener = listener
    this.#heads = heads
  }

  get isWhole(): boolean {
    return this.#state.part === 'whole'
  }

  /** Whether no more of it is wanted, before it is whole. */
  get isUnwanted(): boolean {
    return this.#state.part === 'unwanted'
  }

  /**
   * Returns how many of the bytes are behind the answer.
   *
   * @throws {HttpClientError} when they are no answer
   */
  read(bytes: Buffer): number {
    let rest = bytes
    while (rest.length > 0) {
      const state = this.#state
      if (state.part === 'whole' || state.part === 'unwanted') break
      rest = this.#step(state, rest)
    }
    return rest.length
  }

  /** The connection has ended in order; true if the answer is whole with that. */
  close(): boolean {
    if (this.#state.part === 'until-close') this.#end()
    return this.isWhole
  }

  /** Takes what belongs to the state; returns the rest. */
  #step(state: Exclude<State, { part: 'whole' | 'unwanted' }>, bytes: Buffer): Buffer {
    if ('line' in state) return this.#until(state, bytes)
    if ('left' in state) return this.#body(state, bytes)
    if (!this.#listener.onBytes(bytes)) this.#state = { part: 'unwanted' }
    return NOTHING
  }

  #body(state: Extract<State, { part: 'body' | 'chunk' }>, bytes: Buffer): Buffer {
    const taken = Math.min(state.left, bytes.length)
    state.left -= taken
    if (!this.#listener.onBytes(taken === bytes.length ? bytes : bytes.subarray(0, taken))) {
      this.#state = { part: 'unwanted' }
    } else if (state.left === 0) {
      if (state.part === 'body') this.#end()
      else this.#state = startOf('chunk-end')
    }
    return bytes.subarray(taken)
  }

  /** Collects bytes up to an end mark, which may be spread over several pieces. */
  #until(state: Extract<State, { line: Buffer }>, bytes: Buffer): Buffer {
    const { line } = state
    const { mark, limit } = LINES[state.part]
    const all = line.length === 0 ? bytes : Buffer.concat([line, bytes])
    const end = all.indexOf(mark, Math.max(0, line.length - mark.length), 'latin1')
    if (state.read + (end === -1 ? all.length : end) > limit) throw tooLong(state.part)
    if (end === -1) {
      // Kept longer than the call: the bytes may be overwritten.
      state.line = line.length === 0 ? Buffer.from(all) : all
      return NOTHING
    }
    this.#take(state, all.toString('latin1', 0, end))
    return all.subarray(end + mark.length)
  }

  #take({ part, read }: Extract<State, { line: Buffer }>, text: string): void {
    switch (part) {
      case 'head':
        this.#head(this.#heads.read(text))
        return
      case 'chunk-size':
        this.#chunk(text)
        return
      case 'chunk-end':
        if (text !== '') throw invalidChunk()
        this.#state = startOf('chunk-size')
        return
      case 'trailer':
        if (text === '') {
          this.#end()
        } else {
          readHeader(text)
          this.#state = { ...startOf('trailer'), read: read + text.length + LINE_END.length }
        }
    }
  }

  #head(head: FramedHead): void {
    const { status, length } = head
    if (status < 200 && status !== 101) {
      this.#state = startOf('head')
      return
    }
    this.head = head
    this.#listener.onHead(head)
    if (length === 0) this.#end()
    else if (length === 'chunked') this.#state = startOf('chunk-size')
    else this.#state = length === 'until-close' ? { part: length } : { part: 'body', left: length }
  }

  #chunk(text: string): void {
    const [, digits] = CHUNK_SIZE.exec(text) ?? []
    if (digits === undefined) throw invalidChunk()
    const left = Number.parseInt(digits, 16)
    this.#state = left === 0 ? startOf('trailer') : { part: 'chunk', left }
  }

  #end(): void {
    this.#state = { part: 'whole' }
    this.#listener.onWhole()
  }
}

function startOf<Part extends Extract<State, { line: Buffer }>['part']>(part: Part) {
  return { part, line: NOTHING, read: 0 }
}

function tooLong(part: string): HttpClientError {
  if (part !== 'head' && part !== 'trailer') return invalidChunk()
  return new HttpClientError('HTTP_ANSWER_HEAD_TOO_LARGE', `the answer's headers are more than ${MAX_HEAD_BYTES} bytes`)
}

function invalidChunk(): HttpClientError {
  return new HttpClientError('HTTP_ANSWER_INVALID', 'the answer is not HTTP/1.1: a chunk of its body is invalid')
}
