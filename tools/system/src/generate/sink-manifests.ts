import { createHash } from 'node:crypto'
import type { Variables } from '../app.ts'
import { platformOf, type System } from '../define-system.ts'
import { projectName } from '../project-name.ts'
import { isUrl, SINKS_IMAGE, type Sink, type SinkTrigger } from '../sink.ts'
import { sinkValues } from '../sink-values.ts'
import { secretVariable } from './app-manifest.ts'
import { WITHOUT_CLAIMS } from './claimed-headers.ts'
import { written, writtenKustomization, writtenYaml, yaml } from './written.ts'

/**
 * The label has Knative Eventing, and the event platform on one machine, make the broker `default`. By the annotations neither Argo CD nor
 * Flux tries to delete the namespace, which Kubernetes refuses for ever.
 */
const NAMESPACE = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: 'default',
    labels: { 'eventing.knative.dev/injection': 'enabled' },
    annotations: {
      'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
    },
  },
}
/** Written out as well, so that triggers have their broker also where no injection controller runs. */
function broker(name: string): object {
  return { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', metadata: { name, namespace: 'default' } }
}

/** A broker of the class that keeps events, with the configuration that Knative's Kafka broker is installed with. */
function keepingBroker(name: string): object {
  return {
    apiVersion: 'eventing.knative.dev/v1',
    kind: 'Broker',
    metadata: { name, namespace: 'default', annotations: { 'eventing.knative.dev/broker.class': 'Kafka' } },
    spec: {
      config: { apiVersion: 'v1', kind: 'ConfigMap', name: 'kafka-broker-config', namespace: 'knative-eventing' },
    },
  }
}

const WHY_KEEPING = `# A trigger has this broker as its dead letter sink. The default class accepts an event without a trigger, and drops it; the class
# Kafka keeps it in a topic. A cluster without Knative's Kafka broker makes no such broker, and the trigger is not Ready.
`

const CPU = '50m to 1'
const MEMORY = '64Mi to 192Mi'

/** Else Knative gives a service an address outside of the cluster, where all its paths are. */
const INSIDE = { 'networking.knative.dev/visibility': 'cluster-local' }

/** Files of deploy/knative: the brokers, the Knative Service of each sink, and its triggers. */
export function sinkManifests(system: System): Record<string, string> {
  if (platformOf(system) === undefined) return {}
  const part = { 'app.kubernetes.io/part-of': projectName(system) }
  const sinks = Object.fromEntries(
    Object.entries(system.sinks).flatMap(([name, sink]) => [
      [`300-${name}.yaml`, writtenYaml(knativeService(name, sink, part))],
      ...Object.entries(sink.triggers).map(([trigger, spec]) => [
        `400-trigger-${trigger}.yaml`,
        writtenYaml(triggerOf(name, trigger, spec, part)),
      ]),
    ]),
  )
  const files = { '100-namespace.yaml': writtenYaml(NAMESPACE), ...brokers(system), ...sinks }
  return { ...files, 'kustomization.yaml': writtenKustomization({ resources: Object.keys(files).toSorted() }) }
}

/** The broker `default`, and others that triggers name, for their events or as a dead letter sink. */
function brokers({ sinks }: System): Record<string, string> {
  const triggers = Object.values(sinks).flatMap((sink) => Object.values(sink.triggers))
  const keeping = new Set(
    triggers.flatMap(({ deadLetterSink }) => (typeof deadLetterSink === 'object' ? deadLetterSink.broker : [])),
  )
  const all = new Set(['default', ...triggers.flatMap(({ broker = 'default' }) => broker), ...keeping])
  const files = Array.from(all, (name) => {
    const file = name === 'default' ? '200-broker.yaml' : `210-broker-${name}.yaml`
    if (!keeping.has(name)) return [file, writtenYaml(broker(name))]
    return [file, written(`${WHY_KEEPING}${yaml(keepingBroker(name))}\n`)]
  })
  return Object.fromEntries(files)
}

/** The rules of the HTTPRoute from `/sinks/{service}` at the base URL to the sinks. */
export function sinkRoutes({ sinks }: System): string[] {
  const rules = Object.keys(sinks).map((name) => {
    const path = { type: 'ReplaceFullPath', replaceFullPath: '/' }
    return {
      // Nothing below: there are health and metrics of the sink, which has one port for all.
      matches: ['', '/'].map((end) => ({ path: { type: 'Exact', value: `/sinks/${name}${end}` } })),
      filters: [
        WITHOUT_CLAIMS,
        { type: 'URLRewrite', urlRewrite: { hostname: `${name}.default.svc.cluster.local`, path } },
      ],
      timeouts: { request: '300s' },
      backendRefs: [{ name: 'kourier-internal', namespace: 'kourier-system', port: 80 }],
    }
  })
  return rules.map((rule) => yaml([rule]))
}

function knativeService(name: string, sink: Sink, part: object): object {
  const { app, needs = [], cluster = {} } = sink
  const { cpu = CPU, memory = MEMORY } = cluster
  const [cpuRequest, cpuLimit] = cpu.split(' to ')
  const [memoryRequest, memoryLimit] = memory.split(' to ')
  const env = [...needs.flatMap((need) => secretVariable(need, app)), ...variables(sinkValues(sink))]
  const probe = (kind: string) => ({ httpGet: { path: `/q/health/${kind}`, port: 8080 } })
  const container = {
    name: 'sink',
    image: SINKS_IMAGE,
    args: [app],
    ...(env.length > 0 && { env }),
    ports: [{ containerPort: 8080 }],
    // Knative adds no defaults to a revision that has a name: applied again without this one, it would be a change, and refused.
    readinessProbe: { ...probe('ready'), successThreshold: 1 },
    livenessProbe: probe('live'),
    resources: {
      requests: { cpu: cpuRequest, memory: memoryRequest },
      limits: { cpu: cpuLimit, memory: memoryLimit },
    },
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    },
  }
  const revision = revisionName(name, { env, cpu, memory })
  const annotations = { 'autoscaling.knative.dev/target': '1' }
  return {
    apiVersion: 'serving.knative.dev/v1',
    kind: 'Service',
    metadata: { name, namespace: 'default', labels: { 'app.kubernetes.io/name': app, ...part, ...INSIDE } },
    spec: { template: { metadata: { name: revision, annotations }, spec: { containers: [container] } } },
  }
}

/** Knative refuses a change of a revision that keeps its name: one with settings is called by them. */
function revisionName(
  name: string,
  settings: { readonly env: object[]; readonly cpu: string; readonly memory: string },
) {
  if (settings.env.length === 0 && settings.cpu === CPU && settings.memory === MEMORY) return `${name}-v1`
  return `${name}-${createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 8)}`
}

function variables(values: Variables): object[] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
}

function triggerOf(service: string, name: string, trigger: SinkTrigger, part: object): object {
  const { broker = 'default', filter, filters, deadLetterSink } = trigger
  const delivery = { ...trigger.delivery, ...(deadLetterSink !== undefined && { deadLetterSink: to(deadLetterSink) }) }
  return {
    apiVersion: 'eventing.knative.dev/v1',
    kind: 'Trigger',
    metadata: { name, namespace: 'default', labels: part },
    spec: {
      broker,
      ...(filter !== undefined && { filter: { attributes: filter } }),
      ...(filters !== undefined && { filters }),
      subscriber: to(service),
      ...(Object.keys(delivery).length > 0 && { delivery }),
    },
  }
}

/** A subscriber, by the name of its Knative Service, as a broker, or by its URL. */
function to(subscriber: string | { readonly broker: string }): object {
  if (typeof subscriber === 'object') {
    return { ref: { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', name: subscriber.broker } }
  }
  if (isUrl(subscriber)) return { uri: subscriber }
  return { ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: subscriber } }
}
