import type { FieldReader } from './field-reader.ts'

export type ScalingSpec = ReturnType<typeof readScaling>

const AUTOSCALING = 'autoscaling.knative.dev/'
const DEFAULT_TARGET = 100
const MOST_CONCURRENCY = 1000

/** Reads annotations, older spellings (`minScale`) included, like Knative's autoscaler, and `containerConcurrency`. */
export function readScaling(annotations: FieldReader, concurrency: FieldReader) {
  const containerConcurrency = concurrency.integer({ min: 0, max: MOST_CONCURRENCY }) ?? 0
  const minScale = count(annotations, 'min-scale', 'minScale') ?? 0
  const maxScale = count(annotations, 'max-scale', 'maxScale') ?? 0
  if (maxScale > 0 && maxScale < minScale) {
    annotations.child(`${AUTOSCALING}max-scale`).problem(`must not be below min-scale, ${minScale}`)
  }
  const activationScale = count(annotations, 'activation-scale') ?? 1
  if (activationScale < 1) annotations.child(`${AUTOSCALING}activation-scale`).problem('must be at least 1')
  const windowMs = readWindow(annotations.child(`${AUTOSCALING}window`))
  return {
    /** Concurrent requests an instance should have: a soft limit. */
    target: readTarget(annotations, containerConcurrency),
    /** Share of the target to aim at, above 0 up to 1. */
    utilization: readUtilization(annotations),
    /** Most requests of an instance at a time; 0 is no limit. */
    containerConcurrency,
    minScale,
    /** 0: no limit except the platform's. */
    maxScale,
    /** Instances of a new revision. */
    initialScale: count(annotations, 'initial-scale', 'initialScale') ?? 0,
    /** Least instances when scaling from zero. */
    activationScale,
    /** Averages concurrency over this time; the last instance stops after it without requests. Default: the platform's. */
    windowMs,
  }
}

/** The target cannot exceed the hard limit. */
function readTarget(annotations: FieldReader, containerConcurrency: number): number {
  const reader = annotations.child(`${AUTOSCALING}target`)
  const text = reader.matching(/^\d+(\.\d+)?$/, 'a number of at least 0.01, written as a string')
  const most = containerConcurrency || Number.POSITIVE_INFINITY
  const target = Math.min(text === undefined ? Math.min(DEFAULT_TARGET, most) : Number(text), most)
  if (target < 0.01) reader.problem('must be at least 0.01')
  return target
}

function readUtilization(annotations: FieldReader): number {
  const names = ['target-utilization-percentage', 'targetUtilizationPercentage']
  const reader = firstPresent(annotations, names)
  const text = reader?.matching(/^\d{1,3}(\.\d+)?$/, 'a percentage from 1 to 100, written as a string')
  const percentage = text === undefined ? 100 : Number(text)
  if (percentage < 1 || percentage > 100) reader?.problem(`must be from 1 to 100, got "${text}"`)
  return percentage / 100
}

function count(annotations: FieldReader, ...spellings: readonly string[]): number | undefined {
  const text = firstPresent(annotations, spellings)?.matching(
    /^\d{1,6}$/,
    'a whole number of at least 0, written as a string',
  )
  return text === undefined ? undefined : Number(text)
}

function firstPresent(annotations: FieldReader, spellings: readonly string[]): FieldReader | undefined {
  return spellings.map((name) => annotations.child(AUTOSCALING + name)).find((reader) => reader.isPresent)
}

/** A Go duration in whole minutes and seconds, 6 s to 1 h as in Knative. */
function readWindow(reader: FieldReader): number | undefined {
  const text = reader.matching(/^(?=\d)(\d{1,9}h)?(\d{1,9}m)?(\d{1,9}s)?$/, 'a duration such as 60s or 1m30s')
  if (text === undefined) return undefined
  const part = (unit: string) => Number(new RegExp(`(\\d+)${unit}`).exec(text)?.[1] ?? 0)
  const ms = (part('h') * 3600 + part('m') * 60 + part('s')) * 1000
  return ms < 6000 || ms > 3_600_000 ? reader.problem(`must be from 6s to 1h, got "${text}"`) : ms
}
