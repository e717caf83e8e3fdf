import { NewUsageError } from './errors.ts'
import type { Part } from './parts.ts'

export interface EntryOptions {
  /** Name in system.ts of the need that issues tokens. Default: `issuer`. */
  readonly issuer?: string
  /** True when each thing of the service has a path of its own. Default: false. */
  readonly hasResource?: boolean
}

/** The entry of a service among the `apps` of system.ts. */
export function appEntry(
  name: string,
  parts: ReadonlySet<Part>,
  { issuer = 'issuer', hasResource = false }: EntryOptions = {},
): string {
  const isServed = parts.has('http')
  const pods = isServed ? '{ cpuPercent: 70 }' : `'fixed'`
  const production = isServed ? `, production: { HTTP_RATE_LIMIT: '50', HTTP_RATE_LIMIT_BURST: '200' }` : ''
  const cluster = `cluster: { cpu: '100m to 1', memory: '128Mi to 256Mi', pods: ${pods}${production} },`
  const needs = needsOf(name, parts, issuer)
  return [
    `'${name}': { config: () => import('./apps/${name}/src/config.ts'),`,
    ...(isServed ? [`serves: ['/${name}'${hasResource ? `, '/${name}/*'` : ''}],`] : []),
    ...(needs.length > 0 ? [`needs: [${needs.join(', ')}],`] : []),
    cluster,
    '},',
  ].join(' ')
}

function needsOf(name: string, parts: ReadonlySet<Part>, issuer: string): readonly string[] {
  const isOnKafka = (['incoming', 'outgoing', 'transform'] as const).some((part) => parts.has(part))
  const variable = `${name.replaceAll('-', '_').toUpperCase()}_REMOTE_URL`
  const remote = `remoteService('${name}-remote', { variable: '${variable}', standIn: { main: 'apps/${name}/tests/remote-standin-main.ts' }, path: '', url: 'https://${name}-remote.example.com' })`
  return [
    ...(parts.has('jwt') ? [issuer] : []),
    ...(parts.has('database') ? ['database'] : []),
    ...(isOnKafka ? ['kafka'] : []),
    ...(parts.has('remote') ? [remote] : []),
  ]
}

/**
 * What system.ts calls who issues its tokens, of whom there is one.
 *
 * @throws {NewUsageError} when it has no name there
 */
export function issuerIn(text: string): string {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '')
  const [, named] = /^(?:export )?const (\w+)\b[^=]*=\s*tokenIssuer\(/m.exec(code) ?? []
  if (named === undefined && /\btokenIssuer\(/.test(code)) {
    throw new NewUsageError(
      'system.ts has a tokenIssuer(…) without a name, of which a service cannot take tokens: name it `issuer` (const issuer = tokenIssuer(…))',
    )
  }
  return named ?? 'issuer'
}

/** An event that the sink does not take is sent for about 200 seconds, and then kept in the topic of a broker. */
const DELIVERY = `delivery: { retry: 10, backoffPolicy: 'exponential', backoffDelay: 'PT0.2S' }, deadLetterSink: { broker: 'dead-letters' }`

/** The entry of a sink among the `sinks` of system.ts. */
export function sinkEntry(name: string, eventType: string, parts: ReadonlySet<Part> = new Set()): string {
  const needs = needsOf(name, parts, '')
  const hasCode = needs.length > 0
  return [
    `'${name}': { app: '${name}-sink',`,
    ...(hasCode ? [`config: () => import('./apps/${name}-sink/src/config.ts'),`] : []),
    `triggers: { '${name}': { filter: { type: '${eventType}' }, ${DELIVERY} } },`,
    ...(hasCode ? [`needs: [${needs.join(', ')}], cluster: { memory: '96Mi to 256Mi' },`] : []),
    '},',
  ].join(' ')
}

const OPENINGS = {
  apps: /^( *)apps: \{$/m,
  sinks: /^( *)(?:const sinks\b.*|sinks:) \{$/m,
}
/** The block as the formatter writes it when it is empty. */
const EMPTY = {
  apps: /^( *)apps: \{\},$/m,
  sinks: /^( *)sinks: \{\},$/m,
}

/**
 * system.ts with an entry more, as the last of its kind, and with the needs imported that it names. Formatted as the formatter has it, which
 * finds the end of a block by its indentation.
 *
 * @throws {NewUsageError} when the block is not there, or a need of the entry is neither in the file nor to be imported
 */
export function withEntry(text: string, kind: keyof typeof OPENINGS, entry: string): string {
  const opened = text.replace(EMPTY[kind], `$1${kind}: {\n$1},`)
  const { end } = blockIn(opened, kind)
  const named = Array.from(entry.matchAll(/\b(issuer|database|kafka|remoteService)\b(?=[,\](])/g), ([name]) => name)
  return withNeeds(`${opened.slice(0, end)}${entry}\n${opened.slice(end)}`, new Set(named))
}

/**
 * Where the entries of a block begin and end, and how far the block is indented.
 *
 * @throws {NewUsageError} when the block is not there
 */
export function blockIn(text: string, kind: keyof typeof OPENINGS) {
  const opening = OPENINGS[kind].exec(text)
  const indent = opening?.[1] ?? ''
  const closing = new RegExp(`^${indent}\\},?$`, 'gm')
  closing.lastIndex = opening?.index ?? text.length
  const end = closing.exec(text)
  if (opening === null || end === null)
    throw new NewUsageError(`system.ts has no block of ${kind} that begins and ends with a line of its own`)
  return { start: opening.index, end: end.index, indent }
}

/** Production has to have one: a service without key and issuer does not start. */
const OWN_ISSUER = `const issuer = tokenIssuer({
  production: {
    url: 'https://identity.example.com',
    keys: 'https://identity.example.com/keys',
    audience: 'https://api.example.com',
  },
})

`

/** The file with these names: an issuer of its own, and the others imported from where `defineSystem` is, unless it has them. */
function withNeeds(text: string, names: ReadonlySet<string>): string {
  const imported = /^import \{([^}]*\bdefineSystem\b[^}]*)\}/m.exec(text)
  const hasName = (name: string) =>
    new RegExp(`^const ${name}\\b`, 'm').test(text) || new RegExp(`\\b${name}\\b`).test(imported?.[1] ?? '')
  const missing = [...names].filter((name) => !hasName(name))
  if (missing.length === 0) return text
  if (imported === null) throw new NewUsageError(`system.ts has no ${missing.join(', ')}, which the parts need`)
  const additions = missing.map((name) => (name === 'issuer' ? 'tokenIssuer' : name))
  const list = [...(imported[1] ?? '').split(','), ...additions].map((name) => name.trim())
  const kept = list.filter((name, index) => name !== '' && list.indexOf(name) === index)
  const withImports = text.replace(imported[0], `import { ${kept.join(', ')} }`)
  return missing.includes('issuer') ? withOwnIssuer(withImports) : withImports
}

/** @throws {NewUsageError} when the file has no line where the system begins */
function withOwnIssuer(text: string): string {
  const begin = /^(?:export )?const \w+\b.*= defineSystem\(/m.exec(text)?.index
  if (begin === undefined) throw new NewUsageError('system.ts has no line `export const system = defineSystem({`')
  return text.slice(0, begin) + OWN_ISSUER + text.slice(begin)
}
