import type { Random } from '../../harness/random.ts'
import { anyUnicode, hostileText, mutateText, several, word } from '../kit/text.ts'
import type { Header } from './http-framing.ts'

const HEADER_NAMES = [
  ...'Accept Accept-Encoding Accept-Language Authorization Cookie Content-Encoding Content-Type Date'.split(' '),
  ...'Forwarded If-None-Match Last-Event-ID Max-Forwards Origin Prefer Range Referer X-Forwarded-For'.split(' '),
  ...'X-Forwarded-Host X-Http-Method-Override Sec-Fetch-Site traceparent tracestate baggage ce-id'.split(' '),
  ...'ce-type CE-Source ce-specversion ce-knativebrokerttl ce- Kn-Namespace Proxy-Authorization'.split(' '),
]
const CONNECTION_OPTIONS = [
  ...'close keep-alive Upgrade content-length host authorization'.split(' '),
  ...'transfer-encoding Content-Type TE ce-id x'.split(' '),
  ...[' , ,', 'close, content-length'],
]
const HOP_VALUES = ['websocket', 'h2c', '100-continue', '200-ok', 'trailers', 'Content-Length']

/** The headers of an example, some of them left out, doubled, misspelt or invented. */
export function headersOf(random: Random, headers: readonly Header[]): Header[] {
  const changed = headers.flatMap((header) => changedHeader(random, header))
  if (random.chance(0.5)) changed.push(...several(random, 300, () => inventedHeader(random)))
  if (random.chance(0.05)) changed.push(['Connection', random.pick(CONNECTION_OPTIONS)])
  if (random.chance(0.02)) changed.push([random.pick(['Upgrade', 'Expect', 'TE', 'Trailer']), random.pick(HOP_VALUES)])
  return changed
}

function changedHeader(random: Random, header: Header): readonly Header[] {
  const [name, value] = header
  const dice = random.next()
  if (dice < 0.04) return []
  if (dice < 0.08) return [header, header]
  if (dice < 0.12) return [[name, mutateText(random, value)]]
  if (dice >= 0.15) return [header]
  const misspelt = [name.toUpperCase(), name.toLowerCase(), `${name} `, `x${name}`, name.replace('-', '_')]
  return [[random.pick(misspelt), value]]
}

function inventedHeader(random: Random): Header {
  const other = () => (random.chance(0.5) ? word(random, 20) : hostileText(random))
  const name = random.chance(0.9) ? random.pick(HEADER_NAMES) : other()
  const bytes = Buffer.from(random.chance(0.9) ? hostileText(random) : anyUnicode(random, 10)).toString('latin1')
  return [name, random.chance(0.95) ? bytes.replaceAll(/\p{Cc}/gu, '') : bytes]
}
