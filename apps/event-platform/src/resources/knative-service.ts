import type { FieldReader } from './field-reader.ts'

/** How many instances a service may have, and when. */
export interface ScalingSpec {
  /** Concurrent requests one instance is meant to have: a soft limit. */
  readonly target: number
  readonly minScale: number
  /** 0 is no limit of the service's own. */
  readonly maxScale: number
  /** Over which time concurrency is averaged, and after which idle time the last instance goes; the platform's when absent. */
  readonly windowMs?: number
}

/** A serving Service, ready for use. */
export interface KnativeServiceSpec {
  /** Name of the revision its template asks for, when it asks for one. */
  readonly revisionName?: string
  readonly image: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly scaling: ScalingSpec
  /** How long a request may take from its arrival, waiting for an instance included. */
  readonly timeoutMs: number
}

const AUTOSCALING = 'autoscaling.knative.dev/'
const DEFAULT_TARGET = 100
const DEFAULT_TIMEOUT_SECONDS = 300

/** Reads and checks a serving Service; what only a cluster can honour (resources, probes, volumes) is taken and not used. */
export function readKnativeService(root: FieldReader): KnativeServiceSpec | undefined {
  const spec = root.child('spec').required().fields('template', 'traffic')
  const template = spec.child('template').required().fields('metadata', 'spec')
  const serviceName = root.child('metadata').child('name').string() ?? ''
  const revisionName = readRevisionName(template.child('metadata').child('name'), serviceName)
  const pod = template.child('spec').required()
  const container = onlyContainer(pod.child('containers').required())
  const timeoutSeconds = pod.child('timeoutSeconds').integer({ min: 0 }) ?? DEFAULT_TIMEOUT_SECONDS
  const scaling = readScaling(template.child('metadata').child('annotations'))
  const image = container?.child('image').required().string()
  if (container === undefined || image === undefined) return undefined
  return {
    ...(revisionName !== undefined && { revisionName }),
    image,
    args: container.child('args').strings(),
    env: readEnv(container.child('env')),
    scaling,
    timeoutMs: (timeoutSeconds || DEFAULT_TIMEOUT_SECONDS) * 1000,
  }
}

function readRevisionName(reader: FieldReader, serviceName: string): string | undefined {
  const name = reader.string()
  if (name === undefined || name.startsWith(`${serviceName}-`)) return name
  return reader.problem(`must begin with the service's name, "${serviceName}-", got "${name}"`)
}

function onlyContainer(reader: FieldReader): FieldReader | undefined {
  const containers = reader.items()
  if (reader.isPresent && containers.length !== 1) return reader.problem('must hold exactly one container')
  return containers[0]
}

function readEnv(reader: FieldReader): Readonly<Record<string, string>> {
  return Object.fromEntries(
    reader.items().flatMap((item): [string, string][] => {
      const name = item
        .child('name')
        .required()
        .matching(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a variable name')
      if (item.child('valueFrom').isPresent)
        item.child('valueFrom').problem('is not supported on one machine: use value')
      const value = item.child('value').value ?? ''
      if (typeof value !== 'string') item.child('value').problem('must be a string')
      return name === undefined ? [] : [[name, String(value)]]
    }),
  )
}

/** Annotations, with their older spellings (`minScale`), as Knative's autoscaler reads them. */
function readScaling(annotations: FieldReader): ScalingSpec {
  const minScale = count(annotations, 'min-scale', 'minScale') ?? 0
  const maxScale = count(annotations, 'max-scale', 'maxScale') ?? 0
  if (maxScale > 0 && maxScale < minScale) {
    annotations.child(`${AUTOSCALING}max-scale`).problem(`must not be below min-scale, ${minScale}`)
  }
  const windowMs = readWindow(annotations.child(`${AUTOSCALING}window`))
  return { target: readTarget(annotations), minScale, maxScale, ...(windowMs !== undefined && { windowMs }) }
}

function readTarget(annotations: FieldReader): number {
  const reader = annotations.child(`${AUTOSCALING}target`)
  const text = reader.matching(/^\d+(\.\d+)?$/, 'a number of at least 0.01, written as a string')
  const target = text === undefined ? DEFAULT_TARGET : Number(text)
  if (target < 0.01) reader.problem('must be at least 0.01')
  return target
}

function count(annotations: FieldReader, ...spellings: readonly string[]): number | undefined {
  const present = spellings.map((name) => annotations.child(AUTOSCALING + name)).find((reader) => reader.isPresent)
  const text = present?.matching(/^\d{1,6}$/, 'a whole number of at least 0, written as a string')
  return text === undefined ? undefined : Number(text)
}

/** A Go duration of whole minutes and seconds, from 6 s to 1 h as in Knative. */
function readWindow(reader: FieldReader): number | undefined {
  const text = reader.matching(/^(?=\d)(\d+h)?(\d+m)?(\d+s)?$/, 'a duration such as 60s or 1m30s')
  if (text === undefined) return undefined
  const part = (unit: string) => Number(new RegExp(`(\\d+)${unit}`).exec(text)?.[1] ?? 0)
  const ms = (part('h') * 3600 + part('m') * 60 + part('s')) * 1000
  return ms < 6000 || ms > 3_600_000 ? reader.problem(`must be from 6s to 1h, got "${text}"`) : ms
}
