import type { DeploymentSet } from './deployment-set.ts'
import { type KubeObject, nameOf, ofKind } from './kube-object.ts'
import { routedPorts } from './service-ports.ts'

/** Ways by which a stranger would come to `/q/*` of an app: health, metrics and descriptions. */
export function managementProblems(set: DeploymentSet): string[] {
  return [...portProblems(set), ...pathProblems(set.objects)]
}

function portProblems(set: DeploymentSet): string[] {
  return routedPorts(set).flatMap(({ route, pod, port }) => {
    const http = set.settings.get(pod.name)?.config.http
    if (http === undefined) return []
    if (http.management === undefined) return [`${route}: ${pod.name} has health and metrics at the port it leads to`]
    return port === http.management.port ? [`${route}: leads to the management port of ${pod.name}`] : []
  })
}

/** A service of Knative has one port, and its Host chooses it: its routes may be for its own path only. */
function pathProblems(objects: readonly KubeObject[]): string[] {
  return ofKind(objects, 'gateway.networking.k8s.io/v1/HTTPRoute').flatMap((route) =>
    (route.spec?.rules ?? []).flatMap(({ matches = [], filters = [] }) => {
      const rewritten = filters.flatMap(({ urlRewrite }) => (urlRewrite?.hostname == null ? [] : [urlRewrite]))
      return rewritten.flatMap(({ hostname, path }) => [
        ...matches
          .filter((match) => match.path?.type !== 'Exact')
          .map((match) => `${nameOf(route)}: ${match.path?.value} leads to every path of ${hostname}`),
        ...(path?.replaceFullPath === '/' ? [] : [`${nameOf(route)}: leads to other paths of ${hostname} than /`]),
      ])
    }),
  )
}
