import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FramedHead } from './answer-head.ts'
import { AnswerParser } from './answer-parser.ts'

interface ReadAnswer {
  readonly status: number | undefined
  readonly headers: FramedHead['headers']
  readonly body: string
  readonly isWhole: boolean
  /** Bytes behind the answer. */
  readonly rest: number
}

/** What is read of pieces, each in memory that is overwritten afterwards, and then, perhaps, of the connection's end. */
function readAnswer(pieces: readonly string[], end: 'ends' | 'stays open' = 'stays open'): ReadAnswer {
  let head: FramedHead | undefined
  let body = ''
  let ends = 0
  const parser = new AnswerParser({
    onHead: (read) => {
      if (head !== undefined) throw new Error('two heads')
      head = read
    },
    onBytes: (bytes) => {
      body += bytes.toString('latin1')
      return true
    },
    onWhole: () => {
      ends += 1
    },
  })
  let rest = 0
  for (const piece of pieces) {
    const bytes = Buffer.from(piece, 'latin1')
    rest += parser.isWhole ? bytes.length : parser.read(bytes)
    bytes.fill('?')
  }
  const isWhole = end === 'ends' ? parser.close() : parser.isWhole
  expect(ends).toBe(isWhole ? 1 : 0)
  return { status: head?.status, headers: { ...head?.headers }, body, isWhole, rest }
}

const OK = 'HTTP/1.1 200 OK\r\n'

describe('an answer', () => {
  it.each([
    ['a length', `${OK}Content-Length: 5\r\n\r\nhello`, 'hello'],
    ['no body by its length', `${OK}Content-Length: 0\r\n\r\n`, ''],
    ['chunks', `${OK}Transfer-Encoding: chunked\r\n\r\n4\r\nhell\r\n1\r\no\r\n0\r\n\r\n`, 'hello'],
    ['chunks in capitals', `${OK}Transfer-Encoding: Chunked\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n`, '0123456789'],
    ['extensions', `${OK}Transfer-Encoding: chunked\r\n\r\n2 ;a="b;c"\r\nok\r\n0;last\r\n\r\n`, 'ok'],
    ['trailers', `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nA: 1\r\nB: 2\r\n\r\n`, 'ok'],
    ['line ends in a chunk', `${OK}Transfer-Encoding: chunked\r\n\r\n4\r\n\r\n\r\n\r\n0\r\n\r\n`, '\r\n\r\n'],
    [
      'answers before it',
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n${OK}content-length:2\r\n\r\nok`,
      'ok',
    ],
    ['zeros before its sizes', `${OK}Transfer-Encoding: chunked\r\n\r\n0000000000002\r\nok\r\n00\r\n\r\n`, 'ok'],
    ['zeros before its length', `${OK}Content-Length: 00000000000000000002\r\n\r\nok`, 'ok'],
    ['no reason', 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok', 'ok'],
  ])('with %s is read, whatever pieces it comes in', (_case, text, body) => {
    expect(readAnswer([text])).toMatchObject({ status: 200, body, isWhole: true, rest: 0 })
    expect(readAnswer([...text])).toMatchObject({ status: 200, body, isWhole: true, rest: 0 })
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 6 }), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), text.length]
        const pieces = places.slice(1).map((place, index) => text.slice(places[index], place))
        expect(readAnswer(pieces)).toEqual(readAnswer([text]))
      }),
    )
  })

  it.each([
    ['204', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello', 5],
    ['304', 'HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n', 0],
    ['101', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nxyz', 3],
  ])('%s has no body, whatever it says', (status, text, rest) => {
    expect(readAnswer([text])).toMatchObject({ status: Number(status), body: '', isWhole: true, rest })
  })

  it('without a length goes up to the end of the connection', () => {
    expect(readAnswer([`${OK}\r\n`, 'hel', 'lo'])).toMatchObject({ body: 'hello', isWhole: false })
    expect(readAnswer([`${OK}\r\n`, 'hel', 'lo'], 'ends')).toMatchObject({ body: 'hello', isWhole: true })
  })

  it.each([
    ['in its head', OK],
    ['in its body', `${OK}Content-Length: 5\r\n\r\nhell`],
    ['before its last chunk', `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n`],
    ['before the end of its trailers', `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\nA: 1\r\n`],
  ])('that ends %s is not whole', (_case, text) => {
    expect(readAnswer([text], 'ends').isWhole).toBe(false)
  })

  it('has its headers by their names in lower case, a repeated one with all values', () => {
    const text = `${OK}Set-Cookie: a=1\r\nX-Empty:\r\nset-cookie:\t b=2 \r\n__proto__: x\r\nContent-Length: 0\r\n\r\n`
    const { headers } = readAnswer([text])
    expect(Object.entries(headers)).toEqual([
      ['set-cookie', ['a=1', 'b=2']],
      ['x-empty', ''],
      ['__proto__', 'x'],
      ['content-length', '0'],
    ])
  })

  it('has as many bytes behind it as are not its own', () => {
    expect(readAnswer([`${OK}Content-Length: 2\r\n\r\nokHTTP/1.1`])).toMatchObject({ body: 'ok', rest: 8 })
  })

  it.each([
    ['another protocol', 'SSH-2.0-x\r\n\r\n'],
    ['HTTP/2', 'HTTP/2 200 OK\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a status below 100', 'HTTP/1.1 099 OK\r\n\r\n'],
    ['lines that end in a line feed', 'HTTP/1.1 200 OK\nContent-Length: 0\n\r\n\r\n'],
    ['a header without a colon', `${OK}Content-Length\r\n\r\n`],
    ['a space before the colon', `${OK}Content-Length : 0\r\n\r\n`],
    ['a header over two lines', `${OK}A: b\r\n c\r\n\r\n`],
    ['a zero byte in a header', `${OK}A: b\0\r\n\r\n`],
    ['two lengths', `${OK}Content-Length: 2\r\nContent-Length: 2\r\n\r\nok`],
    ['a list of lengths', `${OK}Content-Length: 2, 2\r\n\r\nok`],
    ['a signed length', `${OK}Content-Length: +2\r\n\r\nok`],
    ['a hexadecimal length', `${OK}Content-Length: 0x2\r\n\r\nok`],
    ['a length beyond what numbers can count', `${OK}Content-Length: ${'9'.repeat(16)}\r\n\r\n`],
    ['a length and chunks', `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`],
    ['another coding', `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n`],
    ['two codings', `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n`],
    ['chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['white space that is no blank around a length', `${OK}Content-Length:\xa02\r\n\r\nok`],
    ['white space that is no blank around a coding', `${OK}Transfer-Encoding: chunked\xa0\r\n\r\n`],
    ['a trailer that is no header', `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\na b\r\n\r\n`],
    ['a chunk of no size', `${OK}Transfer-Encoding: chunked\r\n\r\n\r\n`],
    ['a chunk of a signed size', `${OK}Transfer-Encoding: chunked\r\n\r\n-2\r\n`],
    ['a chunk of nine digits', `${OK}Transfer-Encoding: chunked\r\n\r\n100000000\r\n`],
    ['a chunk that is longer than it says', `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nokay\r\n`],
    ['an endless line for a chunk', `${OK}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(2000)}`],
  ])('decisions 3.128: with %s is none', (_case, text) => {
    expect(() => readAnswer([text])).toThrow(expect.objectContaining({ code: 'HTTP_ANSWER_INVALID' }))
    expect(() => readAnswer([...text])).toThrow(expect.objectContaining({ code: 'HTTP_ANSWER_INVALID' }))
  })

  it.each([
    ['its headers', `${OK}A: `],
    ['its trailers', `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\nA: `],
    ['many trailers', `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n${'A: 1\r\n'.repeat(2700)}A: `],
  ])('is given up where %s are more than 16 KiB', (_case, text) => {
    const tooLarge = expect.objectContaining({ code: 'HTTP_ANSWER_HEAD_TOO_LARGE' })
    expect(() => readAnswer([text, 'x'.repeat(17_000)])).toThrow(tooLarge)
    expect(() => readAnswer([text, ...'x'.repeat(17_000)])).toThrow(tooLarge)
  })

  it('is read no further when no more is wanted', () => {
    const pieces: string[] = []
    const parser = new AnswerParser({
      onHead: () => {},
      onBytes: (bytes) => pieces.push(bytes.toString()) < 2,
      onWhole: () => expect.fail(),
    })
    const chunks = Buffer.from(`${OK}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(5)}`)
    expect(parser.read(chunks)).toBeGreaterThan(0)
    expect(pieces).toEqual(['x', 'x'])
    expect(parser).toMatchObject({ isWhole: false, isUnwanted: true })
    expect(parser.read(Buffer.from('xyz'))).toBe(3)
  })
})
