import type { SeenRequest } from './seen-request.ts'

const HEAD_END = '\r\n\r\n'
const REQUEST_LINE = /^([!#$%&'*+.^_`|~\dA-Za-z-]+) ([\x21-\x7e\x80-\xff]+) HTTP\/1\.1$/
const HEADER_LINE = /^([!#$%&'*+.^_`|~\dA-Za-z-]+):[ \t]*([^\r\n\0]*?)[ \t]*$/
const CHUNK_LINE = /^([\da-f]{1,12})\r\n/i
const LONGEST_LINE = 100

type Framing = { readonly length: number } | 'chunked'

/**
 * Splits the bytes of a connection into requests. Refuses whatever another reader could understand differently: lines that do not end in
 * CR LF, folded headers, none or two hosts, more than one header that says where the body ends, chunks with extensions or trailers.
 */
export class StrictReader {
  readonly requests: SeenRequest[] = []
  /** Why the bytes are ambiguous; nothing is read after that. */
  fault: string | undefined
  #bytes: Buffer = Buffer.alloc(0)
  #head: Omit<SeenRequest, 'body'> | undefined
  #framing: Framing = { length: 0 }
  #chunks: Buffer[] = []

  push(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes])
    while (this.fault === undefined && this.#step());
  }

  /** Reads one part; false when it needs more bytes. */
  #step(): boolean {
    if (this.#head === undefined) return this.#readHead()
    return this.#framing === 'chunked' ? this.#readChunk() : this.#readBody(this.#framing.length)
  }

  #readHead(): boolean {
    const end = this.#bytes.indexOf(HEAD_END)
    if (end === -1) return false
    const [first = '', ...lines] = this.#bytes.toString('latin1', 0, end).split('\r\n')
    const [, method, target] = REQUEST_LINE.exec(first) ?? []
    if (method === undefined || target === undefined) return this.#refuse('the request line', first)
    const headers: [string, string][] = []
    for (const line of lines) {
      const [, name, value] = HEADER_LINE.exec(line) ?? []
      if (name === undefined || value === undefined) return this.#refuse('a header', line)
      headers.push([name, value])
    }
    const framing = this.#framingOf(headers)
    if (framing === false) return false
    this.#head = { method, target, headers }
    this.#framing = framing
    this.#bytes = this.#bytes.subarray(end + HEAD_END.length)
    return true
  }

  #framingOf(headers: SeenRequest['headers']): Framing | false {
    const valuesOf = (wanted: string) =>
      headers.flatMap(([name, value]) => (name.toLowerCase() === wanted ? value : []))
    const [lengths, codings] = [valuesOf('content-length'), valuesOf('transfer-encoding')]
    if (valuesOf('host').length !== 1) return this.#refuse('the hosts', valuesOf('host').join(', '))
    if (lengths.length + codings.length > 1) return this.#refuse('two framings', [...lengths, ...codings].join(', '))
    const [[length = '0'], [coding]] = [lengths, codings]
    if (!/^\d{1,15}$/.test(length)) return this.#refuse('the Content-Length', length)
    if (coding !== undefined && coding !== 'chunked') return this.#refuse('the Transfer-Encoding', coding)
    return coding === undefined ? { length: Number(length) } : 'chunked'
  }

  #readBody(length: number): boolean {
    if (this.#bytes.length < length) return false
    this.#finish(this.#bytes.subarray(0, length), length)
    return true
  }

  #readChunk(): boolean {
    const line = CHUNK_LINE.exec(this.#bytes.toString('latin1', 0, LONGEST_LINE))
    if (line === null) {
      const isWhole = this.#bytes.length >= LONGEST_LINE || this.#bytes.includes('\n')
      return isWhole && this.#refuse('a chunk', this.#bytes.toString('latin1', 0, LONGEST_LINE))
    }
    const [{ length: begin }, size = ''] = line
    const end = begin + Number.parseInt(size, 16)
    if (this.#bytes.length < end + 2) return false
    if (this.#bytes.toString('latin1', end, end + 2) !== '\r\n') return this.#refuse('the end of a chunk', size)
    if (end === begin) this.#finish(Buffer.concat(this.#chunks), end + 2)
    else {
      this.#chunks.push(this.#bytes.subarray(begin, end))
      this.#bytes = this.#bytes.subarray(end + 2)
    }
    return true
  }

  #finish(body: Buffer, taken: number): void {
    if (this.#head !== undefined) this.requests.push({ ...this.#head, body: Buffer.from(body) })
    this.#bytes = this.#bytes.subarray(taken)
    this.#chunks = []
    this.#head = undefined
  }

  #refuse(what: string, text: string): false {
    this.fault = `${what}: ${JSON.stringify(text.slice(0, LONGEST_LINE))}`
    return false
  }
}
