import type { Sink, System } from '../define-system.ts'
import { WRITTEN } from './written.ts'

/** Files of deploy/knative: the Knative Service of each sink, and its trigger. */
export function sinkManifests({ sinks }: System): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sinks).flatMap(([name, sink]) => [
      [`300-${name}.yaml`, knativeService(name, sink)],
      [`400-trigger-${sink.trigger}.yaml`, trigger(name, sink)],
    ]),
  )
}

/** The rules of the HTTPRoute from `/sinks/{service}` at the base URL to the sinks. */
export function sinkRoutes({ sinks }: System): string[] {
  return Object.keys(sinks).map(
    (name) => `- matches:
    - path:
        type: PathPrefix
        value: /sinks/${name}
  filters:
    - type: URLRewrite
      urlRewrite:
        hostname: ${name}.default.svc.cluster.local
        path:
          type: ReplacePrefixMatch
          replacePrefixMatch: /
  timeouts:
    request: 300s
  backendRefs:
    - name: kourier-internal
      namespace: kourier-system
      port: 80`,
  )
}

function knativeService(name: string, { app }: Sink): string {
  return `# ${WRITTEN}
apiVersion: serving.knative.dev/v1
kind: Service
metadata:
  name: ${name}
  namespace: default
  labels:
    app.kubernetes.io/name: ${app}
    app.kubernetes.io/part-of: taproom
spec:
  template:
    metadata:
      name: ${name}-v1
      annotations:
        autoscaling.knative.dev/target: "1"
    spec:
      containers:
        - name: sink
          image: event-sinks
          args:
            - ${app}
          ports:
            - containerPort: 8080
          readinessProbe:
            httpGet:
              path: /q/health/ready
              port: 8080
          livenessProbe:
            httpGet:
              path: /q/health/live
              port: 8080
          resources:
            requests:
              cpu: 50m
              memory: 64Mi
            limits:
              cpu: "1"
              memory: 192Mi
          securityContext:
            runAsNonRoot: true
            runAsUser: 1000
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop:
                - ALL
            seccompProfile:
              type: RuntimeDefault
`
}

function trigger(service: string, { trigger: name, filter }: Sink): string {
  const attributes = Object.entries(filter).map(([attribute, value]) => `      ${attribute}: ${value}`)
  return `# ${WRITTEN}
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata:
  name: ${name}
  namespace: default
  labels:
    app.kubernetes.io/part-of: taproom
spec:
  broker: default
  filter:
    attributes:
${attributes.join('\n')}
  subscriber:
    ref:
      apiVersion: serving.knative.dev/v1
      kind: Service
      name: ${service}
`
}
