import { describe, expect, it } from 'vitest'
import { type Change, CONTAINER, problemsAfter } from './changed-overlay.ts'
import { isRendering } from './rendered.ts'

describe('the check of selectors, policies and routes', { tags: 'kustomize', skip: !isRendering }, () => {
  it.each<[problem: string, Change, found: RegExp]>([
    [
      'a Deployment that does not select its pods',
      { of: 'Deployment claim-api', at: 'spec.selector.matchLabels.app~kubernetes~io/name', to: 'claims' },
      /does not select its own pods/,
    ],
    [
      'a Service for nobody',
      { of: 'Service claim-api', at: 'spec.selector.app~kubernetes~io/name', to: 'claims' },
      /Service taproom\/claim-api: is for no one/,
    ],
    [
      'a Service that leads nowhere',
      { of: 'Service claim-api', at: 'spec.ports.0.targetPort', to: 'web' },
      /leads to web, which is not there/,
    ],
    [
      'a budget for nobody',
      { of: 'PodDisruptionBudget claim-api', at: 'spec.selector.matchLabels.app~kubernetes~io/name', to: 'claims' },
      /Deployment taproom\/claim-api: has 0 budgets/,
    ],
    [
      'a budget that keeps a node from being emptied',
      {
        of: 'PodDisruptionBudget beer-generator',
        at: 'spec',
        to: { minAvailable: 1, selector: { matchLabels: { 'app.kubernetes.io/name': 'beer-generator' } } },
      },
      /blocks nodes/,
    ],
    [
      'a budget that keeps pods that are not ready',
      { of: 'PodDisruptionBudget movie-api', at: 'spec.unhealthyPodEvictionPolicy', to: undefined },
      /Deployment taproom\/movie-api: its budget blocks nodes/,
    ],
    [
      'an autoscaler of nothing',
      { of: 'HorizontalPodAutoscaler claim-api', at: 'spec.scaleTargetRef.name', to: 'claims' },
      /scales nothing/,
    ],
    [
      'replicas beside an autoscaler',
      { of: 'Deployment claim-api', at: 'spec.replicas', to: 3 },
      /sets the replicas that its autoscaler decides/,
    ],
    [
      'a policy for nobody',
      { of: 'NetworkPolicy gateway', at: 'spec.podSelector.matchLabels.taproom~dev/routed', to: 'no' },
      /selects nothing/,
    ],
    [
      'a film service on another port than policies let out',
      { of: 'ConfigMap movie-api', at: 'data.FILM_SERVICE_URL', to: 'https://films.example.com:8443/api' },
      /may not reach port 8443, needed for FILM_SERVICE_URL/,
    ],
    [
      'a policy that lets out more than is needed',
      { of: 'NetworkPolicy kafka', at: 'spec.egress.0.ports', to: [{ port: 9092 }, { port: 22 }] },
      /lets it reach port 22, which it does not need/,
    ],
    [
      'pods cut off from Kafka',
      {
        of: 'Deployment price-generator',
        at: 'spec.template.metadata.labels.taproom~dev/needs-kafka',
        to: undefined,
      },
      /price-generator: may not reach port 9092/,
    ],
    [
      'no DNS',
      { of: 'NetworkPolicy dns', at: 'spec.egress.0.ports', to: [{ port: 53, protocol: 'UDP' }] },
      /may not reach port 53/,
    ],
    [
      'no way in for the gateway',
      {
        of: 'NetworkPolicy gateway',
        at: 'spec.ingress.0.from.0.namespaceSelector.matchLabels.kubernetes~io/metadata~name',
        to: 'nginx',
      },
      /may not be reached on port 8080 by the gateway/,
    ],
    [
      'a Prometheus that is let in at the wrong port',
      { of: 'NetworkPolicy metrics', at: 'spec.ingress.0.ports', to: [{ port: 8080 }] },
      /may not be reached on port 9000 by Prometheus/,
    ],
    [
      'a gateway that is let in at the management port',
      { of: 'NetworkPolicy gateway', at: 'spec.ingress.0.ports', to: [{ port: 8080 }, { port: 9000 }] },
      /lets others reach port 9000 without need/,
    ],
    [
      'a route to the management port',
      { of: 'HTTPRoute claim-api', at: 'spec.rules.0.backendRefs.0.port', to: 9000 },
      /HTTPRoute taproom\/claim-api: leads to the management port of Deployment taproom\/claim-api/,
    ],
    [
      'an app with a route whose health is at the same port',
      { of: 'ConfigMap movie-api', at: 'data.MANAGEMENT_PORT', to: undefined },
      /movie-api has health and metrics at the port it leads to/,
    ],
    [
      'everything let out',
      { of: 'NetworkPolicy default-deny', at: 'spec.policyTypes', to: ['Egress'] },
      /movie-api-migration: anything is allowed in the direction Ingress/,
    ],
    [
      'a route to a Service that is not there',
      { of: 'HTTPRoute claim-api', at: 'spec.rules.0.backendRefs.0.name', to: 'claims' },
      /taproom\/claims:80 is not there/,
    ],
    [
      'a route to a port that is not there',
      { of: 'HTTPRoute claim-api', at: 'spec.rules.0.backendRefs.0.port', to: 8080 },
      /taproom\/claim-api:8080 is not there/,
    ],
  ])('finds %s', async (_problem, change, found) => {
    expect(await problemsAfter('production', change)).toContainEqual(expect.stringMatching(found))
  })

  it.each<[problem: string, name: string, Change, found: RegExp]>([
    [
      'a client that Kafka does not let in',
      'development',
      {
        of: 'NetworkPolicy kafka-',
        at: 'spec.podSelector.matchLabels.taproom~dev/needs-beers',
        to: 'true',
      },
      /price-generator: may not reach port 9092/,
    ],
    [
      'a pod that is let out to a service without need',
      'development',
      { of: 'Deployment movie-api', at: 'spec.template.metadata.labels.taproom~dev/needs-beers', to: 'true' },
      /movie-api: NetworkPolicy taproom\/beer-standin-clients lets it reach port 8080/,
    ],
    [
      'a wrong name of a Service',
      'development',
      { of: 'ConfigMap movie-api', at: 'data.FILM_SERVICE_URL', to: 'http://films/api' },
      /may not reach port 80, needed for FILM_SERVICE_URL/,
    ],
    [
      'an image of sinks without the app',
      'knative',
      { of: 'Service eventingaloha', at: `${CONTAINER}.args`, to: [] },
      /none of the images/,
    ],
    [
      'a sink that Knative takes only once',
      'knative',
      { of: 'Service eventingaloha', at: `${CONTAINER}.readinessProbe.successThreshold`, to: undefined },
      /eventingaloha: cannot be applied again/,
    ],
    [
      'a probe of a sink that is not there',
      'knative',
      { of: 'Service eventingaloha', at: `${CONTAINER}.readinessProbe.httpGet.path`, to: '/' },
      /readinessProbe asks \//,
    ],
    [
      'a route to all paths of a sink',
      'knative',
      { of: 'HTTPRoute sinks', at: 'spec.rules.0.matches.0.path.type', to: 'PathPrefix' },
      /\/sinks\/eventingaloha leads to every path of eventingaloha.default.svc.cluster.local/,
    ],
    [
      "a route to a sink's health",
      'knative',
      { of: 'HTTPRoute sinks', at: 'spec.rules.0.filters.1.urlRewrite.path.replaceFullPath', to: '/q/health' },
      /leads to other paths of eventingaloha\S+ than \//,
    ],
    [
      'a route to another namespace without its leave',
      'knative',
      { of: 'ReferenceGrant taproom-brokers', at: 'spec.from.0.namespace', to: 'other' },
      /broker-ingress:80 is not granted/,
    ],
  ])('finds %s', async (_problem, name, change, found) => {
    expect(await problemsAfter(name, change)).toContainEqual(expect.stringMatching(found))
  })
})
