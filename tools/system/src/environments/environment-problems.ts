import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../app.ts'
import { platformOf, type System } from '../define-system.ts'
import { appOfImage, parseImageName } from './app-of-image.ts'
import { readCompose } from './compose-file.ts'
import { configProblems, OF_IMAGE, type StartEnvironment } from './config-problems.ts'
import { containerEnvironment, type FindData } from './container-environment.ts'
import { unknownHosts } from './hosts.ts'
import type { KubeObject } from './kube-object.ts'
import { type Rendered, renderEnvironments } from './kustomize.ts'
import { type Container, containersOf } from './pods.ts'
import { reasonOf } from './reason-of.ts'
import { missingPlatformFolder, sinkProblems } from './sink-problems.ts'

/** Findings of `pnpm generate --check` about the environments in deploy/. */
export interface EnvironmentFindings {
  /** Variables with which an app would not start, by overlay and app, and names that lead nowhere. */
  readonly problems: readonly string[]
  /** Parts that only kustomize or Compose reads. */
  readonly unread: readonly string[]
}

const OVERLAYS = 'deploy/kubernetes/overlays'
const COMPOSE = 'deploy/compose.yaml'

/** Reads the configuration of each app with the environment that every overlay and deploy/compose.yaml below `root` give it. */
export async function environmentFindings(system: System, root: string): Promise<EnvironmentFindings> {
  const overlays = await overlaysOf(root)
  const found = await Promise.all(overlays.map((folder) => ofOverlay(system, root, folder)))
  const all = [...found, await ofCompose(system, root)]
  return {
    problems: unique(all.flatMap(({ problems }) => problems)),
    unread: unique(all.flatMap(({ unread }) => unread)),
  }
}

async function ofOverlay(system: System, root: string, folder: string): Promise<EnvironmentFindings> {
  const rendered = await renderEnvironments(root, folder)
  const ofContainers = rendered.objects.flatMap((object) =>
    containersOf(object).map(async (container): Promise<EnvironmentFindings> => {
      const at = (finding: string) => `${folder}: ${object.kind} ${object.metadata.name}: ${finding}`
      try {
        const { problems, unread } = await ofContainer(system, container, rendered)
        return { problems: problems.map(at), unread: unread.map(at) }
      } catch (error) {
        return { problems: [at(`a container cannot be read: ${reasonOf(error)}`)], unread: [] }
      }
    }),
  )
  const all = [rendered, ...(await Promise.all(ofContainers))]
  return { problems: all.flatMap(({ problems }) => problems), unread: all.flatMap(({ unread }) => unread) }
}

async function ofContainer(
  system: System,
  container: Container | null,
  { objects, unread }: Rendered,
): Promise<EnvironmentFindings> {
  if (container === null) throw new RangeError('it has no fields')
  const { image = '', command, args } = container
  const app = command == null ? startedApp(system, parseImageName(image).name, args ?? []) : undefined
  if (app === undefined) return { problems: [], unread: [] }
  const read = containerEnvironment(container, dataIn(objects), unread.length > 0)
  const required = Array.from(read.given).flatMap(([name, { optional }]) => (optional ? [] : name))
  const start = { env: { ...OF_IMAGE, ...read.env }, given: new Set(required), isOpen: read.isOpen }
  return { problems: [...read.problems, ...(await configProblems(app, start))], unread: read.unread }
}

async function ofCompose(system: System, root: string): Promise<EnvironmentFindings> {
  const text = await readFile(join(root, COMPOSE), 'utf8').catch(() => undefined)
  if (text === undefined) return { problems: [], unread: [] }
  const compose = await readCompose(text, join(root, 'deploy')).catch(reasonOf)
  if (typeof compose === 'string') return { problems: [inCompose(compose)], unread: [] }
  const { services, hosts, problems, unread } = compose
  const ofServices = services.map(async ({ name, image, command, start }) => {
    const byName = command?.length === 0 || command?.[0] === name ? system.apps[name] : undefined
    const app = byName ?? (command && startedApp(system, parseImageName(image).name, command))
    const environment: StartEnvironment = { ...start, env: { ...OF_IMAGE, ...start.env } }
    const ofSinks = name === platformOf(system) ? await sinkProblems(system, environment) : []
    if (app === undefined) return ofSinks.map((problem) => `${name}: ${problem}`)
    const ofHosts = unread.length === 0 ? unknownHosts(app, start.env, hosts) : []
    const ofFolder = missingPlatformFolder(system, root, image)
    const said = [...(await configProblems(app, environment)), ...ofHosts, ...ofSinks, ...ofFolder]
    return said.map((problem) => `${name}: ${problem}`)
  })
  const all = [...problems, ...(await Promise.all(ofServices)).flat()]
  return { problems: all.map(inCompose), unread: unread.map(inCompose) }
}

function inCompose(finding: string): string {
  return `${COMPOSE}: ${finding}`
}

/** An app, or the app of a sink. Undefined for an image of others, and where arguments choose another program than that of the app. */
function startedApp(system: System, image: string, args: readonly string[]): Pick<App, 'config' | 'needs'> | undefined {
  const app = appOfImage(image, args, system)
  const isProgramOfApp = args.length === 0 || args[0] === app
  if (app === undefined || !isProgramOfApp) return undefined
  return system.apps[app] ?? Object.values(system.sinks).find((sink) => sink.app === app)
}

function dataIn(objects: readonly KubeObject[]): FindData {
  return (kind, name) => {
    const object = objects.find((one) => one.kind === kind && one.metadata.name === name)
    if (object === undefined || kind === 'ConfigMap') return object && (object.data ?? {})
    const texts = Object.entries(object.data ?? {}).map(([key, base64]) => [
      key,
      base64 && Buffer.from(base64, 'base64').toString(),
    ])
    return { ...Object.fromEntries(texts), ...object.stringData }
  }
}

async function overlaysOf(root: string): Promise<readonly string[]> {
  const entries = await readdir(join(root, OVERLAYS), { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${OVERLAYS}/${name}`)
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
