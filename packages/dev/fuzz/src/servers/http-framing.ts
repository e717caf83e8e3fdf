import type { Random } from '../kit/random.ts'

export type Header = readonly [name: string, value: string]

/** The framing of a body: right, or in one of the ways about whose end readers disagree. */
export function framingOf(
  random: Random,
  body: Buffer,
  isStrange: boolean,
): { headers: Header[]; body: Buffer; isHonest: boolean } {
  const length: Header = ['Content-Length', String(body.length)]
  if (!isStrange) {
    if (body.length === 0) return { headers: random.chance(0.5) ? [] : [length], body, isHonest: true }
    if (random.chance(0.8)) return { headers: [length], body, isHonest: true }
    return { headers: [['Transfer-Encoding', 'chunked']], body: chunked(random, body), isHonest: true }
  }
  const headers = random.pick<readonly Header[]>([
    [],
    [length],
    [['Content-Length', String(body.length + random.below(3) - 1)]],
    [length, length],
    [length, ['Content-Length', '0']],
    [['Content-Length', random.pick(['-1', '+5', '0x5', '5, 5', '', ' 5', '99999999999999999999', '1e1', '5\x0b'])]],
    [length, ['Transfer-Encoding', 'chunked']],
    [length, ['Connection', 'content-length']],
    [
      ['Transfer-Encoding', 'chunked'],
      ['Connection', 'transfer-encoding'],
    ],
    [
      [
        'Transfer-Encoding',
        random.pick([
          'chunked, chunked',
          'gzip, chunked',
          'identity',
          'chunked, identity',
          'xchunked',
          'Chunked',
          '\tchunked',
          '"chunked"',
          'chunked;q=1',
          '',
        ]),
      ],
    ],
    [
      ['Transfer-Encoding', 'chunked'],
      ['Transfer-Encoding', 'identity'],
    ],
    [['Transfer-Encoding ', 'chunked']],
    [['Expect', '100-continue'], length],
    [['Upgrade', 'websocket'], ['Connection', 'Upgrade'], length],
    [['Upgrade', 'h2c'], ['Connection', 'Upgrade, HTTP2-Settings'], ['HTTP2-Settings', 'AAMAAABkAAQAAP__'], length],
    [
      ['Trailer', 'Content-Length'],
      ['Transfer-Encoding', 'chunked'],
    ],
  ])
  const isChunked = headers.some(([name, value]) => /^transfer-encoding/i.test(name) && /chunked/i.test(value))
  return { headers: [...headers], body: isChunked ? chunked(random, body) : body, isHonest: false }
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
