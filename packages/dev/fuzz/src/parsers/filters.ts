import { type CloudEvent, CloudEventsError, createFilter, parseDeliverySpec } from '@taproom/events'
import { parseJson } from '@taproom/limits'
import { jsonValue, knownMembers, objectOf } from '../kit/json.ts'
import type { Random } from '../kit/random.ts'
import { JSON_SHAPES, MEMBER_SHAPES, type Shape, TEXT_SHAPES } from '../kit/shapes.ts'
import { count, hostileText, mutateText, word } from '../kit/text.ts'
import type { ParserTarget, Probe } from './parser-target.ts'

const EVENT: CloudEvent = {
  specversion: '1.0',
  id: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
  source: `/fuzz/${'a/'.repeat(200)}`,
  type: 'greeting',
  subject: 'ab'.repeat(500),
  extensions: { number: '42', flag: 'true', empty: '', text: '%_\\' },
}

/** Trigger filters of every dialect, CESQL expressions and delivery specs; an accepted filter is applied to an event. */
export async function openFilters(): Promise<ParserTarget> {
  return {
    shapes: [
      ...specShapes(),
      ...CESQL_SHAPES.map(({ name, make }) => ({ name: `cesql: ${name}`, make: () => cesqlProbe(make()) })),
    ],
    input: (random) =>
      random.pick([
        () => cesqlProbe(random.chance(0.2) ? mutateText(random, expression(random, 4)) : expression(random, 4)),
        () =>
          filterProbe(
            `{"filters":[${Array.from({ length: count(random, 3000) }, () => dialect(random, 4)).join(',')}]}`,
          ),
        () => filterProbe(objectOf([['filter', objectOf([['attributes', attributes(random)]])]])),
        () => deliveryProbe(objectOf(knownMembers(random, DELIVERY))),
      ])(),
    isOwn: (error) => error instanceof CloudEventsError,
  }
}

/** Applied only to values within the limits of JSON, as admission guarantees. */
function filterProbe(json: string): Probe {
  const spec = parsed(json)
  return {
    run: () => createFilter(spec as Parameters<typeof createFilter>[0])(EVENT),
    text: () => json,
  }
}

function deliveryProbe(json: string): Probe {
  const spec = parsed(json)
  return { run: () => parseDeliverySpec(spec as Parameters<typeof parseDeliverySpec>[0]), text: () => json }
}

function cesqlProbe(cesql: string): Probe {
  return { run: () => createFilter({ filters: [{ cesql }] })(EVENT), text: () => cesql }
}

/** Every reader before this one refuses values beyond the limits. */
function parsed(json: string): unknown {
  try {
    return parseJson(json)
  } catch {
    return {}
  }
}

const DELIVERY: Readonly<Record<string, readonly string[]>> = {
  retry: ['0', '5', '1e9'],
  backoffPolicy: ['"linear"', '"exponential"'],
  backoffDelay: ['"PT0.2S"', '"P1Y"', '"PT"', `"PT${'9'.repeat(400)}S"`],
  timeout: ['"PT30S"', '"PT0S"'],
  retryAfterMax: ['"PT10M"'],
  format: ['"json"', '"binary"'],
}

function attributes(random: Random): string {
  return objectOf(
    Array.from({ length: count(random, 3000) }, () => {
      const name = random.chance(0.6)
        ? random.pick(['type', 'source', 'subject', 'number', 'data'])
        : hostileText(random)
      return [name, random.chance(0.9) ? JSON.stringify(hostileText(random)) : jsonValue(random, 2)] as const
    }),
  )
}

function dialect(random: Random, depth: number): string {
  const name = random.pick(['exact', 'prefix', 'suffix', 'all', 'any', 'not', 'cesql', 'not', hostileText(random)])
  if (random.chance(0.05)) return jsonValue(random, 2)
  if (name === 'cesql') return JSON.stringify({ cesql: expression(random, 3) })
  if (name === 'not' && depth > 0) return objectOf([[name, dialect(random, depth - 1)]])
  if ((name === 'all' || name === 'any') && depth > 0) {
    return objectOf([
      [name, `[${Array.from({ length: 1 + random.below(3) }, () => dialect(random, depth - 1)).join(',')}]`],
    ])
  }
  return objectOf([[name, attributes(random)]])
}

const OPERATORS = [
  'AND',
  'OR',
  'XOR',
  '=',
  '!=',
  '<>',
  '<',
  '>',
  '<=',
  '>=',
  '+',
  '-',
  '*',
  '/',
  '%',
  'LIKE',
  'NOT LIKE',
  'IN',
  'and',
]
const FUNCTIONS = [
  'ABS',
  'LENGTH',
  'CONCAT',
  'CONCAT_WS',
  'LOWER',
  'UPPER',
  'TRIM',
  'LEFT',
  'RIGHT',
  'SUBSTRING',
  'INT',
  'BOOL',
  'STRING',
  'IS_BOOL',
  'IS_INT',
]

/** The text of a CESQL expression, mostly a valid one. */
function expression(random: Random, depth: number): string {
  if (depth === 0 || random.chance(0.2)) return literal(random)
  const inner = () => expression(random, depth - 1)
  switch (random.below(6)) {
    case 0:
      return `(${inner()})`
    case 1:
      return `${random.pick(['NOT ', '-', '- ', 'EXISTS '])}${inner()}`
    case 2:
      return `${random.chance(0.9) ? random.pick(FUNCTIONS) : word(random)}(${Array.from({ length: random.below(4) }, inner).join(', ')})`
    case 3:
      return `${inner()} IN (${Array.from({ length: count(random, 1000) }, () => literal(random)).join(',')})`
    case 4:
      return `${inner()} LIKE '${random.pick(['%', '_', 'a%', '%a%b%', '\\%', '%%%%%%%%b', "it\\'s"])}'`
    default:
      return `${inner()} ${random.pick(OPERATORS)} ${inner()}`
  }
}

function literal(random: Random): string {
  return random.pick([
    () => random.pick(['type', 'source', 'subject', 'number', 'flag', 'empty', 'missing', 'specversion']),
    () => String(random.below(2 ** 31)),
    () => random.pick(['TRUE', 'false', '2147483647', '-2147483648', '99999999999999999999', '0']),
    () => `'${hostileText(random).replaceAll("'", "\\'")}'`,
    () => `"${hostileText(random).replaceAll('"', '\\"')}"`,
  ])()
}

/** Expressions of up to 60,000 characters: a manifest of a mebibyte has room for several. */
const CESQL_SHAPES: readonly Shape<string>[] = [
  { name: '100,000 brackets', make: () => `${'('.repeat(100_000)}1${')'.repeat(100_000)} = 1` },
  { name: '6,000 brackets', make: () => `${'('.repeat(6000)}1${')'.repeat(6000)} = 1` },
  { name: '100,000 times NOT', make: () => `${'NOT '.repeat(100_000)}TRUE` },
  { name: '100,000 times minus', make: () => `${'-'.repeat(100_000)}1 = 1` },
  { name: '100,000 times OR', make: () => `${"type = 'a' OR ".repeat(50_000)}TRUE` },
  { name: '100,000 additions', make: () => `${'1+'.repeat(100_000)}1 = 1` },
  { name: '100,000 in a set', make: () => `type IN (${"'a',".repeat(100_000)}'b')` },
  { name: '10,000 functions in each other', make: () => `${'ABS('.repeat(10_000)}1${')'.repeat(10_000)} = 1` },
  { name: 'a pattern of 100,000 wildcards', make: () => `id LIKE '${'%a'.repeat(100_000)}c'` },
  { name: 'a pattern of wildcards that almost fits', make: () => `subject LIKE '${'%b'.repeat(400)}%c'` },
  { name: 'a string of 900 KB', make: () => `type = '${"\\'".repeat(450_000)}'` },
  { name: 'a name of 900 KB', make: () => `${'a'.repeat(900_000)} = 1` },
  { name: 'a number of 900,000 digits', make: () => `${'9'.repeat(900_000)} = 1` },
  { name: '900 KB of blanks', make: () => `1${' '.repeat(900_000)}= 1` },
  { name: 'a string that grows', make: () => `LENGTH(${'CONCAT(id,'.repeat(90)}id${',id)'.repeat(90)}) > 1` },
]

function specShapes() {
  const nested = (open: string, close: string, depth: number) =>
    `{"filters":[${open.repeat(depth)}{"exact":{"type":"a"}}${close.repeat(depth)}]}`
  const made: Shape<string>[] = [
    ...[100, 200, 240].map((depth) => ({ name: `${depth} times all`, make: () => nested('{"all":[', ']}', depth) })),
    { name: '400 times not', make: () => nested('{"not":', '}', 400) },
    {
      name: '10,000 filters',
      make: () => `{"filters":[${'{"exact":{"type":"a"}},'.repeat(10_000)}{"exact":{"type":"a"}}]}`,
    },
    { name: '10,000 expressions', make: () => `{"filters":[${'{"cesql":"TRUE"},'.repeat(10_000)}{"cesql":"TRUE"}]}` },
    ...JSON_SHAPES.map(({ name, make }) => ({ name: `filters: ${name}`, make: () => `{"filters":${make()}}` })),
    ...JSON_SHAPES.map(({ name, make }) => ({
      name: `attributes: ${name}`,
      make: () => `{"filter":{"attributes":${make()}}}`,
    })),
    ...TEXT_SHAPES.map(({ name, make }) => ({
      name: `prefix: ${name}`,
      make: () => JSON.stringify({ filters: [{ prefix: { type: make() } }] }),
    })),
    ...MEMBER_SHAPES.map(({ name, make }) => ({
      name: `exact: ${name}`,
      make: () => JSON.stringify({ filters: [{ exact: Object.fromEntries(make()) }] }),
    })),
  ]
  return [
    ...made.map(({ name, make }) => ({ name, make: () => filterProbe(make()) })),
    ...TEXT_SHAPES.map(({ name, make }) => ({
      name: `delay: ${name}`,
      make: () => deliveryProbe(JSON.stringify({ backoffDelay: make() })),
    })),
    {
      name: 'delay of 900,000 digits',
      make: () => deliveryProbe(JSON.stringify({ backoffDelay: `PT${'9'.repeat(900_000)}S` })),
    },
  ]
}
