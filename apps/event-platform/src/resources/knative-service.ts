import type { FieldReader } from './field-reader.ts'
import { readScaling, type ScalingSpec } from './scaling.ts'
import { checkTraffic } from './traffic.ts'

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

const DEFAULT_TIMEOUT_SECONDS = 300
const MOST_TIMEOUT_SECONDS = 600

/** Reads and checks a serving Service; what only a cluster can honour (resources, probes, volumes) is taken and not used. */
export function readKnativeService(root: FieldReader): KnativeServiceSpec | undefined {
  const spec = root.child('spec').required().fields('template', 'traffic')
  const template = spec.child('template').required().fields('metadata', 'spec')
  const serviceName = root.child('metadata').child('name').string() ?? ''
  const revisionName = readRevisionName(template.child('metadata').child('name'), serviceName)
  checkTraffic(spec.child('traffic'), revisionName)
  const pod = template.child('spec').required()
  const container = onlyContainer(pod.child('containers').required())
  const limits = { min: 0, max: MOST_TIMEOUT_SECONDS }
  const timeoutSeconds = pod.child('timeoutSeconds').integer(limits) ?? DEFAULT_TIMEOUT_SECONDS
  const scaling = readScaling(template.child('metadata').child('annotations'), pod.child('containerConcurrency'))
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
