import type { Series } from '../../src/api/traces.ts'
import type { ChartLine } from '../pieces/chart.tsx'
import { bytes, duration, rate, short } from '../pieces/format.ts'
import { knownMetric, type Split } from './known-metrics.ts'
import { type StateRow, stateRows } from './state-bands.ts'

const MOST_LINES = 6
const PERCENTILE = /_(p50|p95|p99)$/

export interface ChartPlan {
  readonly key: string
  /** Prometheus' name, without percentile. */
  readonly name: string
  readonly topic: string
  readonly title: string
  readonly unit: Series['unit']
  readonly lines: readonly ChartLine[]
  /** Bands of states in place of lines. */
  readonly states?: readonly StateRow[]
  /** Lines left out, the lowest ones. */
  readonly more: number
}

interface Wanted {
  readonly service: string
  readonly text: string
}

/** The charts of the series that match, each with its lines. */
export function chartsOf(series: readonly Series[], { service, text }: Wanted): readonly ChartPlan[] {
  const wanted = series.filter(
    (one) =>
      (service === '' || one.service === service) &&
      `${one.name} ${knownMetric(baseOf(one)).title} ${one.service}`.toLowerCase().includes(text.toLowerCase()),
  )
  return [...Map.groupBy(wanted, chartKey)].map(([key, own]) => planOf(key, own))
}

function baseOf({ name }: Series): string {
  return name.replace(PERCENTILE, '')
}

function chartKey(series: Series): string {
  const name = baseOf(series)
  const { split } = knownMetric(name)
  if (split === 'services' || split === 'states') return name
  return split === 'labels' ? `${name} ${series.service}` : `${name} ${series.service} ${labelsText(series)}`
}

function planOf(key: string, own: readonly Series[]): ChartPlan {
  const [first] = own
  const name = first === undefined ? '' : baseOf(first)
  const { topic, title, split, unit } = knownMetric(name)
  const service = first?.service ?? ''
  const about: Readonly<Record<Split, string>> = {
    labels: service,
    services: '',
    states: '',
    percentiles: `${service} ${first === undefined ? '' : labelsText(first)}`,
  }
  const sorted = split === 'states' ? [] : own.toSorted((a, b) => weight(b) - weight(a))
  return {
    key,
    name,
    topic,
    title: [title, about[split]].filter(Boolean).join(' · '),
    unit: unit ?? first?.unit ?? 'count',
    lines: sorted
      .slice(0, MOST_LINES)
      .map((one) => ({ label: lineName(one, split), times: one.times, values: one.values })),
    ...(split === 'states' && { states: stateRows(own) }),
    more: Math.max(0, sorted.length - MOST_LINES),
  }
}

function weight({ values }: Series): number {
  return values.findLast((value) => value !== null) ?? -1
}

function labelsText({ labels }: Series): string {
  return Object.values(labels).join(' ')
}

function lineName(series: Series, split: Split): string {
  const percentile = PERCENTILE.exec(series.name)?.[1] ?? ''
  if (split === 'services') return series.service
  return (split === 'percentiles' ? percentile : `${labelsText(series)} ${percentile}`.trim()) || 'value'
}

export function formatOf(unit: Series['unit']): (value: number) => string {
  if (unit === 'ms') return (value) => (value === 0 ? '0' : duration(value))
  if (unit === 'bytes') return (value) => bytes(Math.round(value))
  if (unit === 'per second') return rate
  if (unit === 'ratio') return (value) => `${short(value * 100)} %`
  return short
}
