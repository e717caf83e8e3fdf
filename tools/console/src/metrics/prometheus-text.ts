/** One sample of Prometheus' text format. */
export interface Sample {
  /** With `_bucket`, `_sum` or `_count` for those of a histogram. */
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export type MetricType = 'counter' | 'gauge' | 'histogram' | 'summary' | 'untyped'

export interface Family {
  readonly name: string
  readonly type: MetricType
  readonly samples: readonly Sample[]
}

/** A text that is not in Prometheus' format. */
export class PrometheusTextError extends Error {
  override readonly name = 'PrometheusTextError'
  readonly code = 'PROMETHEUS_TEXT_INVALID'
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?[ \t]+(\S+)(?:[ \t]+-?\d+)?$/
const LABEL = /\s*([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"\s*(?:,|$)/y
const TYPES: readonly string[] = ['counter', 'gauge', 'histogram', 'summary']
const PARTS = /_(?:bucket|sum|count)$/

/**
 * Reads Prometheus' text format, version 0.0.4; metrics that `isWanted` does not want are not looked at. At most `maxSamples` are read.
 *
 * @throws {PrometheusTextError} naming the line that is not in it
 */
export function parsePrometheusText(
  text: string,
  isWanted: (family: string) => boolean,
  maxSamples: number,
): readonly Family[] {
  const families = new Map<string, Family & { readonly samples: Sample[] }>()
  const types = new Map<string, MetricType>()
  let count = 0
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) {
      const [, name, type] = /^# TYPE (\S+) (\S+)/.exec(line) ?? []
      if (name !== undefined) types.set(name, TYPES.includes(type ?? '') ? (type as MetricType) : 'untyped')
      continue
    }
    const [, name = '', labels, value = ''] = SAMPLE.exec(line.trimEnd()) ?? []
    if (name === '') throw new PrometheusTextError(`expected a sample: ${line.slice(0, 200)}`)
    const base = types.has(name) ? name : name.replace(PARTS, '')
    const familyName = types.has(base) ? base : name
    if (!isWanted(familyName)) continue
    count += 1
    if (count > maxSamples) break
    let family = families.get(familyName)
    if (family === undefined) {
      family = { name: familyName, type: types.get(familyName) ?? 'untyped', samples: [] }
      families.set(familyName, family)
    }
    family.samples.push({
      name,
      labels: labels === undefined ? {} : labelsOf(labels, line),
      value: numberOf(value, line),
    })
  }
  return [...families.values()]
}

function labelsOf(text: string, line: string): Readonly<Record<string, string>> {
  const labels: [string, string][] = []
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < text.length) {
    const [, name, value] = LABEL.exec(text) ?? []
    if (name === undefined || value === undefined) {
      throw new PrometheusTextError(`expected labels in braces: ${line.slice(0, 200)}`)
    }
    labels.push([name, value.replaceAll(/\\(.)/g, (_all, escaped: string) => (escaped === 'n' ? '\n' : escaped))])
  }
  return Object.fromEntries(labels)
}

const NUMBERS: ReadonlyMap<string, number> = new Map([
  ['+inf', Number.POSITIVE_INFINITY],
  ['inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['nan', Number.NaN],
])

function numberOf(text: string, line: string): number {
  const special = NUMBERS.get(text.toLowerCase())
  const number = special ?? Number(text)
  if (special === undefined && Number.isNaN(number)) {
    throw new PrometheusTextError(`expected a number at the end: ${line.slice(0, 200)}`)
  }
  return number
}
