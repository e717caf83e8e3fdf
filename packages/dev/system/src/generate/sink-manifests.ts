import type { Sink, System } from '../define-system.ts'
import { writtenYaml, yaml } from './written.ts'

const PART = { 'app.kubernetes.io/part-of': 'taproom' }

/** Else Knative gives a service an address outside of the cluster, where all its paths are. */
const INSIDE = { 'networking.knative.dev/visibility': 'cluster-local' }

/** Files of deploy/knative: the Knative Service of each sink, and its trigger. */
export function sinkManifests({ sinks }: System): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sinks).flatMap(([name, sink]) => [
      [`300-${name}.yaml`, writtenYaml(knativeService(name, sink))],
      [`400-trigger-${sink.trigger}.yaml`, writtenYaml(trigger(name, sink))],
    ]),
  )
}

/** The rules of the HTTPRoute from `/sinks/{service}` at the base URL to the sinks. */
export function sinkRoutes({ sinks }: System): string[] {
  const rules = Object.keys(sinks).map((name) => {
    const path = { type: 'ReplaceFullPath', replaceFullPath: '/' }
    return {
      // Nothing below: there are health and metrics of the sink, which has one port for all.
      matches: ['', '/'].map((end) => ({ path: { type: 'Exact', value: `/sinks/${name}${end}` } })),
      filters: [{ type: 'URLRewrite', urlRewrite: { hostname: `${name}.default.svc.cluster.local`, path } }],
      timeouts: { request: '300s' },
      backendRefs: [{ name: 'kourier-internal', namespace: 'kourier-system', port: 80 }],
    }
  })
  return rules.map((rule) => yaml([rule]))
}

function knativeService(name: string, { app }: Sink): object {
  const probe = (kind: string) => ({ httpGet: { path: `/q/health/${kind}`, port: 8080 } })
  const container = {
    name: 'sink',
    image: 'event-sinks',
    args: [app],
    ports: [{ containerPort: 8080 }],
    readinessProbe: probe('ready'),
    livenessProbe: probe('live'),
    resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { cpu: '1', memory: '192Mi' } },
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    },
  }
  const annotations = { 'autoscaling.knative.dev/target': '1' }
  return {
    apiVersion: 'serving.knative.dev/v1',
    kind: 'Service',
    metadata: { name, namespace: 'default', labels: { 'app.kubernetes.io/name': app, ...PART, ...INSIDE } },
    spec: { template: { metadata: { name: `${name}-v1`, annotations }, spec: { containers: [container] } } },
  }
}

function trigger(service: string, { trigger: name, filter }: Sink): object {
  const subscriber = { ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: service } }
  return {
    apiVersion: 'eventing.knative.dev/v1',
    kind: 'Trigger',
    metadata: { name, namespace: 'default', labels: PART },
    spec: { broker: 'default', filter: { attributes: filter }, subscriber },
  }
}
