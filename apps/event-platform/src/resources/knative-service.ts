import { readContainer } from './container.ts'
import { type FieldReader, quoted } from './field-reader.ts'
import { DNS_SUBDOMAIN, DNS_SUBDOMAIN_RULE } from './names.ts'
import { readScaling } from './scaling.ts'
import { checkTraffic } from './traffic.ts'

export type KnativeServiceSpec = NonNullable<ReturnType<typeof readKnativeService>>

const DEFAULT_TIMEOUT_SECONDS = 300
const MOST_TIMEOUT_SECONDS = 600

/** Accepts and ignores what only a cluster can honour: resources, probes, volumes. */
export function readKnativeService(root: FieldReader) {
  const spec = root.child('spec').required().fields('template', 'traffic')
  const template = spec.child('template').required().fields('metadata', 'spec')
  const serviceName = root.child('metadata').child('name').string() ?? ''
  const revisionName = readRevisionName(template.child('metadata').child('name'), serviceName)
  checkTraffic(spec.child('traffic'), revisionName)
  const pod = template.child('spec').required()
  const container = readOnlyContainer(pod.child('containers').required())
  const limits = { min: 0, max: MOST_TIMEOUT_SECONDS }
  const timeoutSeconds = pod.child('timeoutSeconds').integer(limits) ?? DEFAULT_TIMEOUT_SECONDS
  const annotations = template.child('metadata').child('annotations')
  const scaling = readScaling(annotations, pod.child('containerConcurrency'))
  if (container === undefined) return undefined
  return {
    /** The revision name in its template, if any. */
    revisionName,
    ...container,
    scaling,
    /** Of the template: as any change of it, another annotation makes a new revision. */
    annotations: annotations.stringMap() ?? {},
    /** From a request's arrival, including the wait for an instance. */
    timeoutMs: (timeoutSeconds || DEFAULT_TIMEOUT_SECONDS) * 1000,
  }
}

function readRevisionName(reader: FieldReader, serviceName: string): string | undefined {
  const name = reader.matching(DNS_SUBDOMAIN, DNS_SUBDOMAIN_RULE)
  if (name === undefined || name.startsWith(`${serviceName}-`)) return name
  return reader.problem(`must begin with the service's name, "${serviceName}-", got ${quoted(name)}`)
}

function readOnlyContainer(reader: FieldReader) {
  const containers = reader.items()
  if (reader.isPresent && containers.length !== 1) return reader.problem('must hold exactly one container')
  return containers[0] && readContainer(containers[0])
}
