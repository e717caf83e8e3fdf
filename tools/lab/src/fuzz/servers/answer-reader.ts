export interface HttpAnswer {
  readonly status: number
  /** Names in lower case; of several headers of one name the last. */
  readonly headers: Readonly<Record<string, string>>
  /** The beginning of the body. */
  readonly body: string
}

interface Begun {
  readonly answer: { status: number; headers: Record<string, string>; body: string }
  readonly isChunked: boolean
  /** Bytes to come of the body or the chunk; infinite when only the connection's end ends the body. */
  left: number
}

const MOST_BODY = 2000
const HEAD_END = '\r\n\r\n'

/** Splits the bytes of a connection into answers; `methods` are those of its requests, in order. */
export class AnswerReader {
  readonly answers: HttpAnswer[] = []
  /** Set when the bytes are no HTTP. */
  problem: string | undefined
  readonly #methods: readonly string[]
  #bytes: Buffer = Buffer.alloc(0)
  #begun: Begun | undefined

  constructor(methods: readonly string[]) {
    this.#methods = methods
  }

  /** An answer whose end has not come. */
  get begun(): HttpAnswer | undefined {
    return this.#begun?.answer
  }

  push(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk])
    while (this.problem === undefined && this.#step());
  }

  /** Call when the connection has ended. */
  end(): void {
    if (this.#begun?.left === Number.POSITIVE_INFINITY) this.answers.push(this.#begun.answer)
    this.#begun = undefined
  }

  /** Reads one part; false when it needs more bytes. */
  #step(): boolean {
    if (this.#begun === undefined) return this.#head()
    return this.#begun.left > 0 ? this.#part(this.#begun) : this.#chunk(this.#begun)
  }

  #head(): boolean {
    const end = this.#bytes.indexOf(HEAD_END)
    if (end === -1) return false
    const [first = '', ...lines] = this.#bytes.toString('latin1', 0, end).split('\r\n')
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
    const isChunked = /chunked/i.test(headers['transfer-encoding'] ?? '')
    const left = isChunked ? 0 : Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
    if (hasNone || (left === 0 && !isChunked)) this.answers.push(answer)
    else this.#begun = { answer, isChunked, left }
    return true
  }

  #part(begun: Begun): boolean {
    const { answer } = begun
    const part = this.#bytes.subarray(0, begun.left)
    this.#bytes = this.#bytes.subarray(part.length)
    begun.left -= part.length
    if (answer.body.length < MOST_BODY) answer.body = (answer.body + part.toString('latin1')).slice(0, MOST_BODY)
    if (begun.left > 0) return false
    if (!begun.isChunked) this.#finish(answer)
    return true
  }

  #chunk(begun: Begun): boolean {
    // The line end after the chunk before.
    const line = /^(?:\r\n)?([0-9a-f]+)[^\r\n]*\r\n/i.exec(this.#bytes.toString('latin1', 0, 200))
    if (line === null) return false
    begun.left = Number.parseInt(line[1] ?? '', 16)
    // After the last chunk come trailers, or none.
    const end = begun.left > 0 ? line[0].length : this.#bytes.indexOf(HEAD_END, line[0].length - 2) + HEAD_END.length
    if (end < line[0].length) return false
    this.#bytes = this.#bytes.subarray(end)
    if (begun.left === 0) this.#finish(begun.answer)
    return true
  }

  #finish(answer: HttpAnswer): void {
    this.answers.push(answer)
    this.#begun = undefined
  }
}
