import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Need, System } from '../define-system.ts'
import { appManifest, type ClusterApp } from './app-manifest.ts'
import { appsTable } from './apps-table.ts'
import { composeServices, servedApps } from './compose-services.ts'
import { configMap } from './config-maps.ts'
import { type Regions, withoutRegions, withRegions } from './regions.ts'
import { sinkManifests, sinkRoutes } from './sink-manifests.ts'
import { WRITTEN } from './written.ts'

/** A file and the text that `pnpm generate` gives it. */
export interface WrittenFile {
  /** Below the root of the repository. */
  readonly path: string
  /** Undefined when the file is to be removed: its app or sink is no longer in the description. */
  readonly text: string | undefined
}

const APPS = 'deploy/kubernetes/base/apps'
const KNATIVE = 'deploy/knative'
const COMPOSE = 'deploy/compose.yaml'

/** All files that are written from a description. Reads the hand-written parts of those that have them below `root`, the repository. */
export async function writtenFiles(system: System, root: string): Promise<WrittenFile[]> {
  const onCluster = Object.entries(system.apps).filter((entry): entry is [string, ClusterApp] => 'cluster' in entry[1])
  const configMaps = (of: 'base' | 'development' | 'production') =>
    onCluster.map(([name, app]) => configMap(name, app, of))
  const manifests = onCluster.map(([name, app]) => [`${APPS}/${name}.yaml`, appManifest(name, app)] as const)
  const sinks = Object.entries(sinkManifests(system)).map(([name, text]) => [`${KNATIVE}/${name}`, text] as const)
  const whole = new Map([...manifests, ...sinks])

  const compose = withoutRegions(await readFile(join(root, COMPOSE), 'utf8'))
  const regions: Readonly<Record<string, Regions>> = {
    'deploy/kubernetes/base/kustomization.yaml': {
      apps: onCluster.map(([name]) => `- apps/${name}.yaml`),
      'config maps': configMaps('base'),
    },
    'deploy/kubernetes/overlays/development/kustomization.yaml': {
      'config maps': configMaps('development'),
      images: onCluster.map(([name]) => `- name: ${name}\n  newTag: development`),
    },
    'deploy/kubernetes/overlays/production/kustomization.yaml': {
      'config maps': configMaps('production'),
      images: onCluster.map(
        ([name]) => `- name: ${name}\n  newName: registry.example.com/taproom/${name}\n  newTag: 0.1.0`,
      ),
    },
    'deploy/kubernetes/components/kafka-credentials/kustomization.yaml': {
      apps: [`name: ${onCluster.flatMap(([name, { needs = [] }]) => (needs.some(isKafka) ? name : [])).join('|')}`],
    },
    'deploy/kubernetes/event-routes/200-sinks.yaml': { sinks: sinkRoutes(system) },
    [`${KNATIVE}/kustomization.yaml`]: { sinks: sinks.map(([path]) => `- ${path.slice(KNATIVE.length + 1)}`).sort() },
    [COMPOSE]: {
      gateway: servedApps(system).map((name) => `${name}: { condition: service_healthy }`),
      apps: composeServices(system, compose),
    },
    'deploy/gateway.conf': { paths: gatewayPaths(system) },
    'README.md': { apps: await appsTable(system, root) },
  }
  const written = await Promise.all(
    Object.entries(regions).map(async ([path, content]) => {
      return { path, text: withRegions(path, await readFile(join(root, path), 'utf8'), content) }
    }),
  )
  const left = await leftFiles([APPS, KNATIVE], [...whole.keys()], root)
  return [
    ...Array.from(whole, ([path, text]) => ({ path, text })),
    ...written,
    ...left.map((path) => ({ path, text: undefined })),
  ]
}

function isKafka({ name }: Need): boolean {
  return name === 'kafka'
}

/** Lines of the map from paths to services in nginx' configuration. */
function gatewayPaths({ apps }: System): string[] {
  return Object.entries(apps).flatMap(([name, { serves = [] }]) =>
    serves.filter((path) => !path.endsWith('/*')).map((path) => `~^${path}(\\?|$)  ${name};`),
  )
}

/** Written files that the description no longer wants. */
async function leftFiles(folders: readonly string[], wanted: readonly string[], root: string): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, folder)).catch(() => [])
      return names.map((name) => `${folder}/${name}`).filter((path) => !wanted.includes(path))
    }),
  )
  const texts = await Promise.all(
    found.flat().map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })),
  )
  return texts.filter(({ text }) => text.startsWith(`# ${WRITTEN}`)).map(({ path }) => path)
}
