import type { Random } from '../../harness/random.ts'
import { jsonValue } from '../kit/json.ts'
import { anyUnicode, hostilePiece, hostileText, mutateBytes, mutateText, several, word } from '../kit/text.ts'
import type { Conversation } from './http-client.ts'
import { framingOf, type Header } from './http-framing.ts'
import { headersOf } from './http-headers.ts'

/** A request that a surface accepts, as a starting point. */
export interface Example {
  readonly method: string
  readonly path: string
  readonly headers?: readonly Header[]
  readonly body?: string | Buffer
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'LINK']
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/1.2', 'HTTP/0.9', 'HTTP/2.0', 'http/1.1', 'HTTP/1.1 ', '']
const HOSTS = [
  ...'localhost 127.0.0.1 [::1] evil.example localhost: localhost:99999 user@localhost'.split(' '),
  ...'127.0.0.1. localhost%00 é ../x default-broker.default.svc.cluster.local'.split(' '),
  'eventingaloha.default.svc.cluster.local.',
  'BROKER-INGRESS.knative-eventing.svc.cluster.local:80',
  ...['', 'a, b'],
]
const PATHS = '* / // /.. /%2e%2e/ localhost:80 \\ /? /%00 /q/health /q/metrics /q/openapi?format=json'.split(' ')
const PARAMETERS = [
  ...'year format labelSelector fieldSelector watch'.split(' '),
  ...'limit fieldManager dryRun resourceVersion'.split(' '),
]
/** Bytes that a backend would take for the next request, were the one before framed wrongly. */
const SMUGGLED = 'GET /q/health/live?smuggled HTTP/1.1\r\nHost: localhost\r\nX-Smuggled: 1\r\n\r\n'

/** One or a few requests on a connection: examples of the surface, changed in parts, framed rightly or not. */
export function conversation(random: Random, example: (random: Random) => Example): Conversation {
  if (random.chance(0.03)) return raw(random, example(random))
  const length = random.chance(0.9) ? 1 : 2 + random.below(4)
  const { pieces, ...said } = joined(Array.from({ length }, () => requestOf(random, example(random))))
  return { ...said, pieces: pieces.flatMap((bytes) => (random.chance(0.05) ? cut(random, bytes) : [bytes])) }
}

/** Conversations of a piece each, as one of one piece. */
export function joined(conversations: readonly Conversation[]): Conversation {
  return {
    pieces: [Buffer.concat(conversations.flatMap(({ pieces }) => pieces))],
    methods: conversations.flatMap(({ methods }) => methods),
    isHonest: conversations.every(({ isHonest }) => isHonest),
  }
}

/** A valid request, in one piece. */
export function plainRequest({ method, path, headers = [], body = '' }: Example): Conversation {
  const content = Buffer.from(body as string)
  const length: Header[] = content.length > 0 || method === 'POST' ? [['Content-Length', String(content.length)]] : []
  const all: Header[] = [['Host', 'localhost'], ...headers, ...length]
  return {
    pieces: [Buffer.concat([head(`${method} ${path} HTTP/1.1`, all), content])],
    methods: [method],
    isHonest: true,
  }
}

function requestOf(random: Random, example: Example): Conversation {
  const isStrange = random.chance(0.15)
  const method = random.chance(0.2) ? random.pick(METHODS) : example.method
  const path = random.chance(0.5) ? pathOf(random, example.path) : example.path
  const host = random.chance(0.1) ? random.pick(HOSTS) : 'localhost'
  const headers: Header[] = [['Host', host], ...headersOf(random, example.headers ?? [])]
  const framing = framingOf(random, bodyOf(random, example, isStrange), isStrange)
  const version = isStrange && random.chance(0.3) ? random.pick(VERSIONS) : 'HTTP/1.1'
  const written = isStrange && random.chance(0.3) ? strangeMethod(random, method) : method
  return {
    pieces: [Buffer.concat([head(`${written} ${path} ${version}`, [...headers, ...framing.headers]), framing.body])],
    methods: [method],
    // A wrong host or header may be refused before the rest is read: that answer closes the connection.
    isHonest: !isStrange && [...headers, ...framing.headers].every(isPlain),
  }
}

function isPlain([name, value]: Header): boolean {
  return (
    /^[\w-]+$/.test(name) &&
    /^[\x20-\x7e\x80-\xff]*$/.test(value) &&
    !/^(expect|upgrade|connection|te|transfer-encoding|content-length)$/i.test(name)
  )
}

/** A request line and headers as they go over the wire. */
export function head(line: string, headers: readonly Header[]): Buffer {
  return Buffer.from(`${line}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`, 'latin1')
}

function strangeMethod(random: Random, method: string): string {
  const invented = word(random).toUpperCase()
  return random.pick([method.toLowerCase(), `${method}X`, 'CONNECT', '', 'G\0T', ` ${method}`, invented, 'PRI'])
}

const encoded = (random: Random) => encodeURIComponent(hostileText(random).toWellFormed())

function pathOf(random: Random, path: string): string {
  const changed = random.pick([
    () => encodeURI(mutateText(random, path).toWellFormed()),
    () => `${path}?${query(random)}`,
    () => `${path.split('?')[0]}?${query(random)}`,
    () => `${path}/`,
    () => `/${path}`,
    () => path.toUpperCase(),
    () => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    () => `${path.split('/').slice(0, -1).join('/')}/${encoded(random)}`,
    () => `http://${random.pick(HOSTS)}${path}`,
    () => `/./x/..${path}`,
    () => `${path}%`,
    () => `${path};a=b#c`,
    () => random.pick(PATHS),
    () => path.slice(0, random.below(path.length + 1)),
  ])()
  return changed.replaceAll(/[^\x21-\xff]/g, '')
}

function query(random: Random): string {
  const parameter = () => {
    const name = random.chance(0.5) ? random.pick(PARAMETERS) : word(random)
    const value = random.chance(0.8) ? encoded(random) : hostilePiece(random)
    return `${name}${random.chance(0.9) ? '=' : '[]='}${value}`
  }
  return several(random, 500, parameter).join('&')
}

function bodyOf(random: Random, { method, body = '' }: Example, isStrange: boolean): Buffer {
  const bytes = Buffer.from(body as string)
  const dice = random.next()
  if (bytes.length === 0) {
    const isNone = method === 'GET' && dice < (isStrange ? 0.3 : 0.9)
    return isNone ? bytes : Buffer.from(random.pick([SMUGGLED, jsonValue(random)]))
  }
  if (dice < 0.6) return bytes
  if (dice < 0.7) return mutateBytes(random, bytes)
  if (dice < 0.8) return Buffer.from(mutateText(random, bytes.toString()))
  if (dice < 0.85) return Buffer.from(SMUGGLED)
  return Buffer.from(dice < 0.9 ? '' : jsonValue(random))
}

/** Bytes that are hardly a request. */
function raw(random: Random, example: Example): Conversation {
  const bytes = Buffer.concat(plainRequest(example).pieces)
  const changed = random.pick([
    () => mutateBytes(random, bytes),
    () => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
    () => bytes.subarray(0, random.below(bytes.length)),
    () => Buffer.from(anyUnicode(random, 100)),
    () => Buffer.concat([Buffer.from('\r\n\r\n'), bytes]),
    () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    // The beginning of TLS.
    () => Buffer.from('16030100c8010000c403', 'hex'),
  ])()
  return { pieces: random.chance(0.3) ? cut(random, changed) : [changed], methods: [], isHonest: false }
}

function cut(random: Random, bytes: Buffer): Buffer[] {
  const places = Array.from({ length: 1 + random.below(4) }, () => random.below(bytes.length + 1))
  const ends = [...places.toSorted((a, b) => a - b), bytes.length]
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)).filter(({ length }) => length > 0)
}
