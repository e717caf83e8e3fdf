import { ConfigError, type Env, type KernelConfig, kernelConfig, parseEnv } from '@taproom/service'
import { imagesOf, type System } from '@taproom/system'
import { environmentOf } from './environment.ts'
import { parseImageName } from './image-name.ts'
import type { KubeObject } from './kube-object.ts'
import type { Workload } from './workloads.ts'

/** An app as a manifest runs it: its environment, and the configuration that the app reads from it. */
export interface AppSettings {
  readonly app: string
  readonly env: Readonly<Record<string, string>>
  readonly config: KernelConfig
}

export interface ReadSettings {
  /** Undefined when the app would not start, and for a workload that is no app. */
  readonly settings: AppSettings | undefined
  readonly problems: readonly string[]
}

type ReadConfig = (env: Env) => KernelConfig

/** Images of other projects. */
const FOREIGN = new Set(['apache/kafka', 'postgres'])

export interface SettingsSources {
  readonly system: System
  readonly objects: readonly KubeObject[]
  /** Values of secrets that are not among the objects, by `name/key`. */
  readonly secrets: Readonly<Record<string, string>>
}

/**
 * Reads a workload's environment with the `readConfig` of its app. An app that would not start is a problem, and so is a variable that it
 * does not read.
 */
export async function readSettings(
  workload: Workload,
  { objects, secrets, system }: SettingsSources,
): Promise<ReadSettings> {
  const image = parseImageName(workload.container.image ?? '')
  if (FOREIGN.has(image.repository)) return { settings: undefined, problems: [] }

  const { env, problems } = environmentOf(workload, objects, secrets)
  const app = appOf(image.name, workload.container.args ?? [], system)
  if (app === undefined) {
    return {
      settings: undefined,
      problems: [`${workload.name}: ${image.name} is none of the images that are built here`],
    }
  }
  const readConfig = await configReaderOf(app, system)
  if (readConfig === undefined) return { settings: undefined, problems }

  const asked = new Set<string>()
  const recorded = new Proxy(env, {
    get(target, name) {
      asked.add(String(name))
      return Reflect.get(target, name)
    },
  })
  const settings = tryToRead(workload, readConfig, recorded, problems)
  problems.push(
    ...Object.keys(env)
      .filter((name) => !asked.has(name))
      .map((name) => `${workload.name}: ${app} does not read ${name}`),
  )
  return { settings: settings && { app, env, config: settings }, problems }
}

function tryToRead(workload: Workload, readConfig: ReadConfig, env: Env, problems: string[]): KernelConfig | undefined {
  try {
    return readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    problems.push(...error.problems.map((problem) => `${workload.name}: ${problem}`))
    return undefined
  }
}

/** An image of several apps runs the one that its first argument names. */
function appOf(image: string, args: readonly string[], system: System): string | undefined {
  const workspaces = imagesOf(system).find(({ name }) => name === image)?.apps
  const apps = workspaces?.filter((name) => name in system.apps || isSink(name, system)) ?? []
  if (apps.length > 1) return apps.find((app) => app === args[0])
  return apps[0] ?? workspaces?.[0]
}

function isSink(name: string, { sinks }: System): boolean {
  return Object.values(sinks).some(({ app }) => app === name)
}

/** Undefined for the stand-ins, which are no app. */
async function configReaderOf(app: string, system: System): Promise<ReadConfig | undefined> {
  // Sinks read the variables of every service, and no others.
  if (isSink(app, system)) return (env) => parseEnv(env, kernelConfig)
  const module = await system.apps[app]?.config?.()
  return module?.readConfig as ReadConfig | undefined
}
