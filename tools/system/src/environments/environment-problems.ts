import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../app.ts'
import type { System } from '../define-system.ts'
import { appOfImage, parseImageName } from './app-of-image.ts'
import { readCompose } from './compose-file.ts'
import { configProblems, type StartEnvironment } from './config-problems.ts'
import { containerEnvironment, type FindData } from './container-environment.ts'
import { unknownHosts } from './hosts.ts'
import type { KubeObject } from './kube-object.ts'
import { renderEnvironments } from './kustomize.ts'
import { containersOf } from './pods.ts'

/** Findings of `pnpm generate --check` about the environments in deploy/. */
export interface EnvironmentFindings {
  /** Variables with which an app would not start, by overlay and app, and names that lead nowhere. */
  readonly problems: readonly string[]
  /** Parts that only kustomize or Compose reads. */
  readonly unread: readonly string[]
}

const OVERLAYS = 'deploy/kubernetes/overlays'
const COMPOSE = 'deploy/compose.yaml'
/** That of every image. */
const OF_IMAGE = { NODE_ENV: 'production' }

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
  const { objects, problems, unread } = await renderEnvironments(root, folder)
  const more: string[] = []
  const ofContainers = objects.flatMap((object) =>
    containersOf(object).map(async (container) => {
      const place = `${folder}: ${object.kind} ${object.metadata.name}`
      const { image = '', command, args = [] } = container
      const app = command === undefined ? startedApp(system, parseImageName(image).name, args) : undefined
      if (app === undefined) return []
      const read = containerEnvironment(container, dataIn(objects), unread.length > 0)
      const { env, given, isOpen } = read
      more.push(...read.unread.map((part) => `${place}: ${part}`))
      const required = Array.from(given).flatMap(([name, { optional }]) => (optional ? [] : name))
      const start = { env: { ...OF_IMAGE, ...env }, given: new Set(required), isOpen }
      const said = [...read.problems, ...(await configProblems(app, start))]
      return said.map((problem) => `${place}: ${problem}`)
    }),
  )
  return { problems: [...problems, ...(await Promise.all(ofContainers)).flat()], unread: [...unread, ...more] }
}

async function ofCompose(system: System, root: string): Promise<EnvironmentFindings> {
  const text = await readFile(join(root, COMPOSE), 'utf8').catch(() => undefined)
  if (text === undefined) return { problems: [], unread: [] }
  const { services, hosts, problems, unread } = await readCompose(text, join(root, 'deploy'))
  const ofServices = services.map(async ({ name, image, command, start }) => {
    const byName = command?.length === 0 || command?.[0] === name ? system.apps[name] : undefined
    const app = byName ?? (command && startedApp(system, parseImageName(image).name, command))
    if (app === undefined) return []
    const environment: StartEnvironment = { ...start, env: { ...OF_IMAGE, ...start.env } }
    const ofHosts = unread.length === 0 ? unknownHosts(app, start.env, hosts) : []
    const said = [...(await configProblems(app, environment)), ...ofHosts]
    return said.map((problem) => `${name}: ${problem}`)
  })
  const all = [...problems, ...(await Promise.all(ofServices)).flat()]
  return { problems: all.map(inCompose), unread: unread.map(inCompose) }
}

function inCompose(finding: string): string {
  return `${COMPOSE}: ${finding}`
}

/** Undefined for an image of others, and where arguments choose another program than that of the app. */
function startedApp(system: System, image: string, args: readonly string[]): App | undefined {
  const app = appOfImage(image, args, system)
  const isProgramOfApp = args.length === 0 || args[0] === app
  return app === undefined || !isProgramOfApp ? undefined : system.apps[app]
}

function dataIn(objects: readonly KubeObject[]): FindData {
  return (kind, name) => {
    const object = objects.find((one) => one.kind === kind && one.metadata.name === name)
    const { data = {}, stringData = {} } = object ?? {}
    if (object === undefined || kind === 'ConfigMap') return object && data
    const texts = Object.entries(data).map(([key, base64]) => [key, base64 && Buffer.from(base64, 'base64').toString()])
    return { ...Object.fromEntries(texts), ...stringData }
  }
}

async function overlaysOf(root: string): Promise<readonly string[]> {
  const entries = await readdir(join(root, OVERLAYS), { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${OVERLAYS}/${name}`)
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
