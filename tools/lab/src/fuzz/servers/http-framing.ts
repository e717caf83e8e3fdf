import type { Random } from '../../harness/random.ts'

export type Header = readonly [name: string, value: string]

const LENGTHS = [...'-1 +5 0x5 99999999999999999999 1e1 5\x0b'.split(' '), '5, 5', '', ' 5']
const CODINGS = [
  ...'identity xchunked Chunked \tchunked "chunked" chunked;q=1'.split(' '),
  ...['chunked, chunked', 'gzip, chunked', 'chunked, identity', ''],
]
const CHUNKED: Header = ['Transfer-Encoding', 'chunked']

/** Headers about whose body's end readers disagree, or that change the rest of the connection. */
function strangeFraming(random: Random, bodyBytes: number): readonly Header[] {
  const length: Header = ['Content-Length', String(bodyBytes)]
  return random.pick<readonly Header[]>([
    [],
    [length],
    [['Content-Length', String(bodyBytes + random.below(3) - 1)]],
    [length, length],
    [length, ['Content-Length', '0']],
    [['Content-Length', random.pick(LENGTHS)]],
    [length, CHUNKED],
    [length, ['Connection', 'content-length']],
    [CHUNKED, ['Connection', 'transfer-encoding']],
    [['Transfer-Encoding', random.pick(CODINGS)]],
    [CHUNKED, ['Transfer-Encoding', 'identity']],
    [['Transfer-Encoding ', 'chunked']],
    [['Expect', '100-continue'], length],
    [['Upgrade', 'websocket'], ['Connection', 'Upgrade'], length],
    [['Upgrade', 'h2c'], ['Connection', 'Upgrade, HTTP2-Settings'], ['HTTP2-Settings', 'AAMAAABkAAQAAP__'], length],
    [['Trailer', 'Content-Length'], CHUNKED],
  ])
}

function rightFraming(random: Random, bodyBytes: number): readonly Header[] {
  const length: Header = ['Content-Length', String(bodyBytes)]
  if (bodyBytes === 0) return random.chance(0.5) ? [] : [length]
  return [random.chance(0.8) ? length : CHUNKED]
}

/** The framing of a body: right, or strange. */
export function framingOf(
  random: Random,
  body: Buffer,
  isStrange: boolean,
): { readonly headers: readonly Header[]; readonly body: Buffer } {
  const headers = (isStrange ? strangeFraming : rightFraming)(random, body.length)
  const isChunked = headers.some(([name, value]) => /^transfer-encoding/i.test(name) && /chunked/i.test(value))
  return { headers, body: isChunked ? chunked(random, body) : body }
}

function chunked(random: Random, body: Buffer): Buffer {
  const parts: (string | Buffer)[] = []
  for (let at = 0; at < body.length; ) {
    const end = Math.min(body.length, at + 1 + random.below(body.length))
    parts.push(`${(end - at).toString(16)}${random.chance(0.05) ? ';a="b"' : ''}\r\n`, body.subarray(at, end), '\r\n')
    at = end
  }
  parts.push(random.chance(0.05) ? '0\r\nX-Trailer: 1\r\nContent-Length: 3\r\n\r\n' : '0\r\n\r\n')
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)))
}
