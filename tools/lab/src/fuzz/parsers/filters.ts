import { CloudEventsError, createFilter, type FilterDialect, parseDeliverySpec } from '@taproom/events'
import type { CloudEventV1 } from 'cloudevents'
import type { Random } from '../../harness/random.ts'
import { arrayOf, jsonValue, type KnownMembers, knownObject, objectOf, withinLimits } from '../kit/json.ts'
import { inPlaces, JSON_SHAPES, levels, MEMBER_SHAPES, type Shape, TEXT_SHAPES } from '../kit/shapes.ts'
import { hostileText, mutateText, several, word } from '../kit/text.ts'
import type { ParserTarget, Probe } from './parser-target.ts'

const EVENT: CloudEventV1<Buffer> = {
  specversion: '1.0',
  id: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
  source: `/fuzz/${'a/'.repeat(200)}`,
  type: 'greeting',
  subject: 'ab'.repeat(500),
  number: '42',
  flag: 'true',
  empty: '',
  text: '%_\\',
}

/** Trigger filters of every dialect, CESQL expressions and delivery specs; an accepted filter is applied to an event. */
export async function openFilters(): Promise<ParserTarget> {
  return {
    shapes: [
      ...inPlaces(FILTER_SHAPES, { filter: filterProbe }),
      ...inPlaces(JSON_SHAPES, {
        filters: (json) => filterProbe(`{"filters":${json}}`),
        attributes: (json) => filterProbe(`{"filter":{"attributes":${json}}}`),
      }),
      ...inPlaces(TEXT_SHAPES, {
        prefix: (type) => filterProbe(JSON.stringify({ filters: [{ prefix: { type } }] })),
        delay: (backoffDelay) => deliveryProbe(JSON.stringify({ backoffDelay })),
      }),
      ...inPlaces(MEMBER_SHAPES, {
        exact: (pairs) => filterProbe(JSON.stringify({ filters: [{ exact: Object.fromEntries(pairs) }] })),
      }),
      ['delay of 900,000 digits', () => deliveryProbe(JSON.stringify({ backoffDelay: `PT${'9'.repeat(900_000)}S` }))],
      ...inPlaces(CESQL_SHAPES, { cesql: cesqlProbe }),
    ],
    input: (random) =>
      random.pick([
        () => cesqlProbe(random.chance(0.2) ? mutateText(random, expression(random, 4)) : expression(random, 4)),
        () => filterProbe(`{"filters":${arrayOf(several(random, 3000, () => dialect(random, 4)))}}`),
        () => filterProbe(`{"filter":{"attributes":${attributes(random)}}}`),
        () => deliveryProbe(knownObject(random, DELIVERY)),
      ])(),
    isOwn: (error) => error instanceof CloudEventsError,
  }
}

/** Applied only to values within the limits of JSON, as admission guarantees. */
function filterProbe(json: string): Probe {
  const spec = withinLimits(json) as Parameters<typeof createFilter>[0]
  return { run: () => createFilter(spec)(EVENT), text: () => json }
}

function deliveryProbe(json: string): Probe {
  const spec = withinLimits(json) as Parameters<typeof parseDeliverySpec>[0]
  return { run: () => parseDeliverySpec(spec), text: () => json }
}

function cesqlProbe(cesql: string): Probe {
  return { run: () => createFilter({ filters: [{ cesql }] })(EVENT), text: () => cesql }
}

const DELIVERY: KnownMembers = {
  retry: ['0', '5', '1e9'],
  backoffPolicy: ['"linear"', '"exponential"'],
  backoffDelay: ['"PT0.2S"', '"P1Y"', '"PT"', `"PT${'9'.repeat(400)}S"`],
  timeout: ['"PT30S"', '"PT0S"'],
  retryAfterMax: ['"PT10M"'],
  format: ['"json"', '"binary"'],
}

function attributes(random: Random): string {
  return objectOf(
    several(random, 3000, () => {
      const name = random.chance(0.6)
        ? random.pick(['type', 'source', 'subject', 'number', 'data'])
        : hostileText(random)
      return [name, random.chance(0.9) ? JSON.stringify(hostileText(random)) : jsonValue(random, 2)]
    }),
  )
}

type DialectValue = (random: Random, depth: number) => string

const FILTERS: DialectValue = (random, depth) =>
  depth === 0
    ? attributes(random)
    : arrayOf(Array.from({ length: 1 + random.below(3) }, () => dialect(random, depth - 1)))

const DIALECTS: ReadonlyMap<string, DialectValue> = new Map(
  Object.entries({
    exact: attributes,
    prefix: attributes,
    suffix: attributes,
    all: FILTERS,
    any: FILTERS,
    not: (random, depth) => (depth === 0 ? attributes(random) : dialect(random, depth - 1)),
    cesql: (random) => JSON.stringify(expression(random, 3)),
  } satisfies Record<FilterDialect, DialectValue>),
)

function dialect(random: Random, depth: number): string {
  const name = random.pick([...DIALECTS.keys(), 'not', hostileText(random)])
  if (random.chance(0.05)) return jsonValue(random, 2)
  const value = DIALECTS.get(name) ?? attributes
  return objectOf([[name, value(random, depth)]])
}

const OPERATORS = [...'AND OR XOR = != <> < > <= >= + - * / % LIKE IN and'.split(' '), 'NOT LIKE']
const FUNCTIONS = [
  ...'ABS LENGTH CONCAT CONCAT_WS LOWER UPPER TRIM LEFT RIGHT SUBSTRING'.split(' '),
  ...'INT BOOL STRING IS_BOOL IS_INT'.split(' '),
]
const NAMES = 'type source subject number flag empty missing specversion'.split(' ')

/** The text of a CESQL expression, mostly a valid one. */
function expression(random: Random, depth: number): string {
  if (depth === 0 || random.chance(0.2)) return literal(random)
  const inner = () => expression(random, depth - 1)
  return random.pick([
    () => `(${inner()})`,
    () => `${random.pick(['NOT ', '-', '- ', 'EXISTS '])}${inner()}`,
    () => {
      const name = random.chance(0.9) ? random.pick(FUNCTIONS) : word(random)
      return `${name}(${Array.from({ length: random.below(4) }, inner).join(', ')})`
    },
    () => `${inner()} IN (${several(random, 1000, () => literal(random)).join(',')})`,
    () => `${inner()} LIKE '${random.pick(['%', '_', 'a%', '%a%b%', '\\%', '%%%%%%%%b', "it\\'s"])}'`,
    () => `${inner()} ${random.pick(OPERATORS)} ${inner()}`,
  ])()
}

function literal(random: Random): string {
  return random.pick([
    () => random.pick(NAMES),
    () => String(random.below(2 ** 31)),
    () => random.pick(['TRUE', 'false', '2147483647', '-2147483648', '99999999999999999999', '0']),
    () => `'${hostileText(random).replaceAll("'", "\\'")}'`,
    () => `"${hostileText(random).replaceAll('"', '\\"')}"`,
  ])()
}

/** Expressions of up to a mebibyte. */
const CESQL_SHAPES: readonly Shape<string>[] = Object.entries({
  '100,000 brackets': () => `${levels('(', ')', 100_000, '1')} = 1`,
  '6,000 brackets': () => `${levels('(', ')', 6000, '1')} = 1`,
  '100,000 times NOT': () => `${'NOT '.repeat(100_000)}TRUE`,
  '100,000 times minus': () => `${'-'.repeat(100_000)}1 = 1`,
  '50,000 times OR': () => `${"type = 'a' OR ".repeat(50_000)}TRUE`,
  '100,000 additions': () => `${'1+'.repeat(100_000)}1 = 1`,
  '100,000 in a set': () => `type IN (${"'a',".repeat(100_000)}'b')`,
  '10,000 functions in each other': () => `${levels('ABS(', ')', 10_000, '1')} = 1`,
  'a pattern of 100,000 wildcards': () => `id LIKE '${'%a'.repeat(100_000)}c'`,
  'a pattern of wildcards that almost fits': () => `subject LIKE '${'%b'.repeat(400)}%c'`,
  'a string of 900 KB': () => `type = '${"\\'".repeat(450_000)}'`,
  'a name of 900 KB': () => `${'a'.repeat(900_000)} = 1`,
  'a number of 900,000 digits': () => `${'9'.repeat(900_000)} = 1`,
  '900 KB of blanks': () => `1${' '.repeat(900_000)}= 1`,
  'a string that grows': () => `LENGTH(${levels('CONCAT(id,', ',id)', 90, 'id')}) > 1`,
})

const nested = (open: string, close: string, depth: number) =>
  `{"filters":[${levels(open, close, depth, '{"exact":{"type":"a"}}')}]}`
const repeated = (filter: string) => `{"filters":[${`${filter},`.repeat(10_000)}${filter}]}`
const FILTER_SHAPES: readonly Shape<string>[] = Object.entries({
  '100 times all': () => nested('{"all":[', ']}', 100),
  '200 times all': () => nested('{"all":[', ']}', 200),
  '240 times all': () => nested('{"all":[', ']}', 240),
  '400 times not': () => nested('{"not":', '}', 400),
  '10,000 filters': () => repeated('{"exact":{"type":"a"}}'),
  '10,000 expressions': () => repeated('{"cesql":"TRUE"}'),
})
