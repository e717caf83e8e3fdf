import type { Shape } from '../kit/shapes.ts'
import type { Conversation } from '../servers/http-client.ts'

const SMUGGLED = 'GET /movie?smuggled HTTP/1.1\r\nHost: localhost\r\nX-Smuggled: 1\r\n\r\n'
const CHUNKED = `0\r\n\r\n${SMUGGLED}`
const LENGTH = `Content-Length: ${SMUGGLED.length}`
const WHOLE = `Content-Length: ${CHUNKED.length}`
const CODING = 'Transfer-Encoding: chunked'

/** Requests in which another one hides from readers that are less strict, or strict in another way: framings, folds, line ends, chunks. */
export function smugglingShapes(path: string): readonly Shape<Conversation>[] {
  const shape = (lines: readonly string[], body: string, lineEnd = '\r\n', method = 'POST') => {
    const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join(lineEnd)
    return (): Conversation => ({ pieces: [Buffer.from(head + body, 'latin1')], methods: [method], isHonest: false })
  }
  const heads = {
    'a length before a coding': [WHOLE, CODING],
    'a coding before a length': [CODING, WHOLE],
    'a length of nothing with a coding': ['Content-Length: 0', CODING],
    'two lengths': ['Content-Length: 0', LENGTH],
    'two lengths in one': [`Content-Length: 0, ${SMUGGLED.length}`],
    'a length with a sign': [`Content-Length: +${SMUGGLED.length}`],
    'a folded coding': [WHOLE, 'Transfer-Encoding:\r\n chunked'],
    'a folded length': [`Content-Length:\r\n ${WHOLE.slice(16)}`],
    'a header folded into a coding': ['X: 1\r\n Transfer-Encoding: chunked', WHOLE],
    'a coding with a space before its colon': [WHOLE, 'Transfer-Encoding : chunked'],
    'a coding after a bare CR': [WHOLE, 'X: 1\rTransfer-Encoding: chunked'],
    'a coding after a bare LF': [WHOLE, 'X: 1\nTransfer-Encoding: chunked'],
    'an unknown coding': [WHOLE, 'Transfer-Encoding: xchunked'],
    'a coding twice': [CODING, 'Transfer-Encoding: identity'],
    'a length that Connection names': [LENGTH, 'Connection: content-length'],
    'a coding that Connection names': [CODING, 'Connection: transfer-encoding'],
  }
  return [
    ...Object.entries(heads).flatMap(([name, lines]): Shape<Conversation>[] => {
      const body = lines.some((line) => line === LENGTH || line.endsWith(`${SMUGGLED.length}`)) ? SMUGGLED : CHUNKED
      return [
        [name, shape(lines, body)],
        [`${name}, by GET`, shape(lines, body, '\r\n', 'GET')],
      ]
    }),
    ['lines that end in LF', shape([LENGTH], SMUGGLED, '\n')],
    ['lines that end in LF, without a body', shape([], SMUGGLED, '\n', 'GET')],
    ['chunks whose lines end in LF', shape([CODING], `1\na\n0\n\n${SMUGGLED}`)],
    ['a chunk with a size that is none', shape([CODING], `0x1\r\na\r\n0\r\n\r\n${SMUGGLED}`)],
    ['a chunk with a size above 64 bits', shape([CODING], `10000000000000001\r\na\r\n0\r\n\r\n${SMUGGLED}`)],
    ['a chunk with an LF in its extension', shape([CODING], `1;a\nb\r\na\r\n0\r\n\r\n${SMUGGLED}`)],
    ['a chunk that is longer than its size', shape([CODING], `1\r\nab\r\n0\r\n\r\n${SMUGGLED}`)],
  ]
}
