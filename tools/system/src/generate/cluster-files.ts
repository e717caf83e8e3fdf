import { platformOf, type System } from '../define-system.ts'
import { projectName } from '../project-name.ts'
import { appManifest } from './app-manifest.ts'
import { anyOf, appsThat, clusterApps, hasDevelopmentKey, isBroker, isDatabase, isKafka } from './cluster-apps.ts'
import { configMap } from './config-maps.ts'
import { postgresqlComponent } from './databases.ts'
import { ingressComponents } from './ingress.ts'
import { manifest } from './manifest.ts'
import { ownAuthority } from './own-authority.ts'
import { sinkRoutes } from './sink-manifests.ts'
import { written, writtenKustomization } from './written.ts'

/** Texts by paths below deploy/kubernetes. */
export type ClusterFiles = ReadonlyMap<string, string>

/** What the overlays of a system can add to its base, and which of it each of the two overlays does. */
export function componentsOf(system: System): Readonly<Record<'development' | 'production', readonly string[]>> {
  const hasKafka = appsThat(system, isKafka).length > 0
  const hasDatabase = appsThat(system, isDatabase).length > 0
  return {
    development: ['development', ...(hasKafka ? ['kafka'] : []), ...(hasDatabase ? ['postgresql'] : [])],
    production: [
      'https',
      ...(hasKafka ? ['kafka-outside', 'kafka-credentials'] : []),
      ...(hasDatabase ? ['postgresql-outside'] : []),
    ],
  }
}

const COMPONENT_FILES: Readonly<Record<string, readonly string[]>> = {
  https: ['kustomization.yaml'],
  kafka: ['kustomization.yaml', '100-kafka.yaml', '200-network-policies.yaml'],
  'kafka-of-three': ['kustomization.yaml', '100-brokers.yaml', 'three.yaml'],
  'kafka-outside': ['kustomization.yaml', '100-network-policy.yaml'],
  'kafka-credentials': ['credentials.yaml'],
  'postgresql-outside': ['kustomization.yaml', '100-network-policy.yaml'],
  'health-route': ['kustomization.yaml', '100-health.yaml'],
}

/**
 * For ConfigMaps, whose names change with their content: Argo CD and Flux leave the old one to the pods that still have it, and to
 * `kubectl rollout undo`.
 */
const KEPT = {
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
  'argocd.argoproj.io/sync-options': 'Prune=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
}

/** All files of deploy/kubernetes that are written as a whole; `own` are the numbered files in its base that people wrote. */
export async function clusterFiles(system: System, own: readonly string[]): Promise<ClusterFiles> {
  const apps = clusterApps(system)
  if (apps.length === 0) return new Map()
  const { development, production } = componentsOf(system)
  const components = [
    ...development,
    ...production,
    ...(development.includes('kafka') ? ['kafka-of-three'] : []),
    ...(system.health === undefined ? [] : ['health-route']),
  ]
  const base = baseFiles(system)
  const copied = [
    ...base.map((name) => `base/${name}`),
    ...['every-deployment.yaml', 'every-workload.yaml'].map((name) => `base/${name}`),
    ...['kustomization.yaml', '100-gateway-class.yaml'].map((name) => `cluster/${name}`),
    ...components.flatMap((name) => (COMPONENT_FILES[name] ?? []).map((file) => `components/${name}/${file}`)),
  ]
  const texts = copied.map(async (path) => {
    const text = await manifest(`kubernetes/${path}`, projectName(system))
    const { health } = system
    const isOfHealth = health !== undefined && path.startsWith('components/health-route/')
    return [path, written(isOfHealth ? text.replaceAll('health-app', health) : text)] as const
  })
  const open = apps.flatMap(([, { serves = [] }]) => serves.filter((path) => path.endsWith('/*')))
  const surroundings = { gateway: projectName(system), open }
  return new Map([
    ...(await Promise.all(texts)),
    ...apps.map(([name, app]) => [`base/apps/${name}.yaml`, appManifest(name, app, surroundings)] as const),
    ['base/kustomization.yaml', baseKustomization(system, [...new Set([...base, ...own])].toSorted())],
    ...(await developmentFiles(system)),
    ...(await postgresqlComponent(system)),
    ...ingressComponents(system),
    ...(production.includes('kafka-credentials') ? [credentialsKustomization(system)] : []),
    ownAuthority(apps),
    ...(await eventRoutes(system)),
  ])
}

/** The objects of the base that are no app's. A policy that would select nothing is left out. */
function baseFiles(system: System): readonly string[] {
  const apps = clusterApps(system)
  const isRouted = apps.some(([, { serves = [] }]) => serves.length > 0)
  return [
    '100-namespace.yaml',
    '110-gateway.yaml',
    '200-network-policies.yaml',
    ...(appsThat(system, needsHttps).length > 0 ? ['210-https.yaml'] : []),
    ...(appsThat(system, isBroker).length > 0 ? ['215-broker.yaml'] : []),
    ...(isRouted ? ['220-gateway.yaml'] : []),
  ]
}

function needsHttps({ overHttps }: { readonly overHttps?: boolean | 'everywhere' }): boolean {
  return overHttps === true
}

function baseKustomization(system: System, numbered: readonly string[]): string {
  const apps = clusterApps(system)
  return writtenKustomization({
    namespace: projectName(system),
    resources: [...numbered, ...apps.map(([name]) => `apps/${name}.yaml`)],
    configMapGenerator: apps.map(([name, app]) => configMap(name, app, 'base')),
    generatorOptions: { annotations: KEPT },
    labels: [{ pairs: { 'app.kubernetes.io/part-of': projectName(system) }, includeTemplates: true }],
    patches: [
      { path: 'every-workload.yaml', target: { kind: 'Deployment|Job' } },
      { path: 'every-deployment.yaml', target: { kind: 'Deployment' } },
    ],
  })
}

/** The component `development`: one replica of each, nothing let out of the cluster, and the key of `pnpm run token`. */
async function developmentFiles(system: System): Promise<readonly (readonly [string, string])[]> {
  const folder = 'components/development'
  const withKey = appsThat(system, hasDevelopmentKey)
  const patches = [
    removed('autoscaling/v2', 'HorizontalPodAutoscaler'),
    ...(appsThat(system, needsHttps).length > 0 ? [removed('networking.k8s.io/v1', 'NetworkPolicy', 'https')] : []),
    ...(withKey.length > 0
      ? [{ path: 'development-key.yaml', target: { kind: 'Deployment', name: anyOf(withKey) } }]
      : []),
  ]
  const key = `${folder}/development-key.yaml`
  return [
    [`${folder}/kustomization.yaml`, writtenKustomization({ patches }, 'Component')],
    ...(withKey.length > 0 ? [[key, written(await manifest(`kubernetes/${key}`, projectName(system)))] as const] : []),
  ]
}

/** A patch that takes objects out of the base: those of a name, or all of a kind. */
function removed(apiVersion: string, kind: string, name?: string): object {
  const patch = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: any\n$patch: delete\n`
  return { target: { kind, ...(name !== undefined && { name }) }, patch }
}

function credentialsKustomization(system: System): readonly [string, string] {
  const target = { kind: 'Deployment', name: anyOf(appsThat(system, isKafka)) }
  const content = { patches: [{ path: 'credentials.yaml', target }] }
  return ['components/kafka-credentials/kustomization.yaml', writtenKustomization(content, 'Component')]
}

/** Brokers and sinks under the base URL, for the overlays of Knative to add. */
async function eventRoutes(system: System): Promise<readonly (readonly [string, string])[]> {
  if (platformOf(system) === undefined) return []
  const rules = sinkRoutes(system)
  const files = ['100-brokers.yaml', ...(rules.length > 0 ? ['200-sinks.yaml'] : [])]
  const texts = files.map(async (name) => {
    const text = await manifest(`kubernetes/event-routes/${name}`, projectName(system))
    const indented = rules.join('\n').replaceAll(/^/gm, '    ')
    return [`event-routes/${name}`, written(text.replace('    # RULES', indented))] as const
  })
  const labels = [{ pairs: { 'app.kubernetes.io/part-of': projectName(system) } }]
  return [
    ['event-routes/kustomization.yaml', writtenKustomization({ resources: files, labels })],
    ...(await Promise.all(texts)),
  ]
}
