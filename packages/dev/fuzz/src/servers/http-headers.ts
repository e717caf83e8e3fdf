import type { Random } from '../kit/random.ts'
import { anyUnicode, count, hostileText, mutateText, word } from '../kit/text.ts'
import type { Header } from './http-framing.ts'

const HEADER_NAMES = [
  ...[
    'Accept',
    'Accept-Encoding',
    'Accept-Language',
    'Authorization',
    'Cookie',
    'Content-Encoding',
    'Content-Type',
    'Date',
    'Forwarded',
    'If-None-Match',
  ],
  ...[
    'Last-Event-ID',
    'Max-Forwards',
    'Origin',
    'Prefer',
    'Range',
    'Referer',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Http-Method-Override',
    'Sec-Fetch-Site',
  ],
  ...[
    'traceparent',
    'tracestate',
    'baggage',
    'ce-id',
    'ce-type',
    'CE-Source',
    'ce-specversion',
    'ce-knativebrokerttl',
    'ce-',
    'Kn-Namespace',
    'Proxy-Authorization',
  ],
]
const CONNECTION_OPTIONS = [
  'close',
  'keep-alive',
  'Upgrade',
  'content-length',
  'host',
  'authorization',
  'transfer-encoding',
  'Content-Type',
  'TE',
  'ce-id',
  'x',
  ' , ,',
  'close, content-length',
]
/** The headers of an example, some of them left out, doubled, misspelt or invented. */
export function headersOf(random: Random, headers: readonly Header[]): Header[] {
  const changed = headers.flatMap(([name, value]): Header[] => {
    const dice = random.next()
    if (dice < 0.04) return []
    if (dice < 0.08)
      return [
        [name, value],
        [name, value],
      ]
    if (dice < 0.12) return [[name, mutateText(random, value)]]
    if (dice < 0.15)
      return [
        [random.pick([name.toUpperCase(), name.toLowerCase(), `${name} `, `x${name}`, name.replace('-', '_')]), value],
      ]
    return [[name, value]]
  })
  for (let left = random.chance(0.5) ? 0 : count(random, 300); left > 0; left -= 1) {
    const name = random.chance(0.9)
      ? random.pick(HEADER_NAMES)
      : random.chance(0.5)
        ? word(random, 20)
        : hostileText(random)
    changed.push([name, headerValue(random)])
  }
  if (random.chance(0.05)) changed.push(['Connection', random.pick(CONNECTION_OPTIONS)])
  if (random.chance(0.02))
    changed.push([
      random.pick(['Upgrade', 'Expect', 'TE', 'Trailer']),
      random.pick(['websocket', 'h2c', '100-continue', '200-ok', 'trailers', 'Content-Length']),
    ])
  return changed
}

function headerValue(random: Random): string {
  const text = random.chance(0.9) ? hostileText(random) : anyUnicode(random, 10)
  const bytes = Buffer.from(text).toString('latin1')
  return random.chance(0.95) ? bytes.replaceAll(/\p{Cc}/gu, '') : bytes
}
