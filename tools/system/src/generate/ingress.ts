import type { System } from '../define-system.ts'
import { projectName } from '../project-name.ts'
import { CLAIMED_HEADERS } from './claimed-headers.ts'
import { anyOf, type ClusterApp, clusterApps } from './cluster-apps.ts'
import { pathMatches } from './path-matches.ts'
import { written, writtenKustomization, writtenYaml, yaml } from './written.ts'

/** Seconds without a byte for an app whose answers have no time limit: ingress-nginx has to have one. */
const LONGEST_SILENCE = 3600
/** The namespace of the controller's pods. */
const CONTROLLER = 'ingress-nginx'
/** It sets these itself. */
const SET: readonly string[] = ['X-Forwarded-Host', 'X-Forwarded-Port', 'X-Real-IP']

/**
 * The components `ingress`, which has an Ingress for each app in place of the Gateway and its routes, with the same paths, and
 * `ingress-https`, which is that with the certificate of the component `https`. None where no app has a path.
 */
export function ingressComponents(system: System): readonly (readonly [string, string])[] {
  const routed = clusterApps(system).filter(([, { serves = [] }]) => serves.length > 0)
  if (routed.length === 0) return []
  const project = projectName(system)
  const open = routed.flatMap(([, { serves = [] }]) => serves.filter((path) => path.endsWith('/*')))
  const names = routed.map(([name]) => name)
  const removed = [
    { kind: 'HTTPRoute', name: anyOf([...names, ...(system.health === undefined ? [] : ['health'])]) },
    { kind: 'Gateway', name: project },
    { kind: 'BackendTrafficPolicy', name: 'gateway' },
    ...(system.health === undefined ? [] : [{ kind: 'NetworkPolicy', name: 'gateway-health' }]),
  ].map((target) => ({ target, patch: `kind: ${target.kind}\nmetadata:\n  name: any\n$patch: delete\n` }))
  const letIn = {
    target: { kind: 'NetworkPolicy', name: 'gateway' },
    patch: `- op: replace
  path: /spec/ingress/0/from/0/namespaceSelector/matchLabels/kubernetes.io~1metadata.name
  value: ${CONTROLLER}
`,
  }
  const withCertificate = {
    target: { kind: 'Ingress', name: anyOf(names) },
    patch: `- op: add
  path: /spec/tls
  value:
    - secretName: ${project}-tls
`,
  }
  const plain = { resources: ['100-claimed-headers.yaml', '100-ingress.yaml'], patches: [...removed, letIn] }
  const secured = { components: ['../ingress'], patches: [withCertificate] }
  return [
    ['components/ingress/kustomization.yaml', writtenKustomization(plain, 'Component')],
    ['components/ingress/100-claimed-headers.yaml', written(claimedHeaders(project))],
    [
      'components/ingress/100-ingress.yaml',
      writtenYaml(...routed.map(([name, app]) => ingress(name, app, { project, open }))),
    ],
    ['components/ingress-https/kustomization.yaml', writtenKustomization(secured, 'Component')],
  ]
}

/** Lists what the routes of the Gateway remove, for ingress-nginx: it passes on no header that is set to an empty text. */
function claimedHeaders(project: string): string {
  const config = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'claimed-headers', labels: { 'app.kubernetes.io/part-of': project } },
    data: Object.fromEntries(CLAIMED_HEADERS.filter((name) => !SET.includes(name)).map((name) => [name, ''])),
  }
  return `# An Ingress cannot remove headers. ingress-nginx does when its own ConfigMap has this setting, for all that it serves:
#   proxy-set-headers: ${project}/claimed-headers
# It sets ${SET.join(', ')} itself; another controller has to do both.
${yaml(config)}
`
}

function ingress(
  name: string,
  { serves = [], timeoutSeconds = 10 }: ClusterApp,
  { project, open }: { readonly project: string; readonly open: readonly string[] },
): object {
  const paths = pathMatches(serves, open).map(({ type, value }) => ({
    path: value,
    pathType: type === 'Exact' ? type : 'Prefix',
    backend: { service: { name, port: { name: 'http' } } },
  }))
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name,
      labels: { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': project },
      // The Ingress API has no time limits: another controller has annotations of its own.
      annotations: { 'nginx.ingress.kubernetes.io/proxy-read-timeout': String(timeoutSeconds || LONGEST_SILENCE) },
    },
    spec: { rules: [{ http: { paths } }] },
  }
}
