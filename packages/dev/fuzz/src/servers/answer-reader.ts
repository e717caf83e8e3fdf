export interface HttpAnswer {
  readonly status: number
  /** Names in lower case; of several headers of one name the last. */
  readonly headers: Readonly<Record<string, string>>
  /** The beginning of the body. */
  readonly body: string
}

type State = { readonly kind: 'head' } | Body

/** The rest of a body: a number of bytes, chunks, or everything until the connection ends. */
interface Body {
  readonly kind: 'length' | 'chunks' | 'until-close'
  left: number
  readonly answer: { status: number; headers: Record<string, string>; body: string }
}

const MOST_BODY = 2000
const HEAD_END = Buffer.from('\r\n\r\n')

/** Splits the bytes of a connection into answers; `methods` are those of its requests, in order. */
export class AnswerReader {
  readonly answers: HttpAnswer[] = []
  /** Set when the bytes are no HTTP. */
  problem: string | undefined
  readonly #methods: readonly string[]
  #bytes: Buffer = Buffer.alloc(0)
  #state: State = { kind: 'head' }

  constructor(methods: readonly string[]) {
    this.#methods = methods
  }

  /** Whether an answer has begun that only the connection's end ends, or that may take long. */
  get isStreaming(): boolean {
    return this.#state.kind !== 'head'
  }

  get begun(): HttpAnswer | undefined {
    return this.#state.kind === 'head' ? undefined : this.#state.answer
  }

  push(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk])
    while (this.problem === undefined && this.#step());
  }

  /** Call when the connection has ended. */
  end(): void {
    if (this.#state.kind === 'until-close') this.answers.push(this.#state.answer)
    this.#state = { kind: 'head' }
  }

  /** Reads one part; false when it needs more bytes. */
  #step(): boolean {
    const state = this.#state
    switch (state.kind) {
      case 'head':
        return this.#head()
      case 'length':
        return this.#take(state)
      case 'chunks':
        return state.left > 0 ? this.#take(state) : this.#chunk(state)
      case 'until-close':
        this.#keep(state, this.#bytes)
        this.#bytes = Buffer.alloc(0)
        return false
    }
  }

  #head(): boolean {
    const end = this.#bytes.indexOf(HEAD_END)
    if (end === -1) return false
    const [first = '', ...lines] = this.#bytes.subarray(0, end).toString('latin1').split('\r\n')
    this.#bytes = this.#bytes.subarray(end + HEAD_END.length)
    const status = Number(/^HTTP\/1\.[01] (\d{3})( |$)/.exec(first)?.[1])
    if (Number.isNaN(status)) {
      this.problem = `what came is no HTTP: ${JSON.stringify(first.slice(0, 100))}`
      return false
    }
    // An interim answer.
    if (status < 200) return true
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const answer = { status, headers, body: '' }
    const hasNone = this.#methods[this.answers.length] === 'HEAD' || status === 204 || status === 304
    const length = Number(headers['content-length'] ?? 0)
    if (!hasNone && /chunked/i.test(headers['transfer-encoding'] ?? ''))
      this.#state = { kind: 'chunks', left: 0, answer }
    else if (!hasNone && headers['content-length'] === undefined) this.#state = { kind: 'until-close', left: 0, answer }
    else if (!hasNone && length > 0) this.#state = { kind: 'length', left: length, answer }
    else this.answers.push(answer)
    return true
  }

  #take(state: Body): boolean {
    const part = this.#bytes.subarray(0, state.left)
    this.#bytes = this.#bytes.subarray(part.length)
    state.left -= part.length
    this.#keep(state, part)
    if (state.left > 0) return false
    if (state.kind === 'length') this.#finish(state)
    return true
  }

  #chunk(state: Body): boolean {
    // The line end after the chunk before.
    const line = /^(?:\r\n)?([0-9a-f]+)[^\r\n]*\r\n/i.exec(this.#bytes.subarray(0, 200).toString('latin1'))
    if (line === null) return false
    const size = Number.parseInt(line[1] ?? '', 16)
    if (size > 0) {
      this.#bytes = this.#bytes.subarray(line[0].length)
      state.left = size
      return true
    }
    const end = this.#bytes.indexOf('\r\n\r\n', line[0].length - 2)
    if (end === -1) return false
    this.#bytes = this.#bytes.subarray(end + 4)
    this.#finish(state)
    return true
  }

  #keep({ answer }: Body, part: Buffer): void {
    if (answer.body.length < MOST_BODY) answer.body += part.toString('latin1').slice(0, MOST_BODY - answer.body.length)
  }

  #finish({ answer }: Body): void {
    this.answers.push(answer)
    this.#state = { kind: 'head' }
  }
}
