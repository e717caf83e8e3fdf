import { readdirSync } from 'node:fs'
import { listImages } from '@taproom/images'
import { ConfigError, type Env, type KernelConfig, kernelConfig, parseEnv } from '@taproom/service'
import { environmentOf } from './environment.ts'
import { parseImageName } from './image-name.ts'
import type { KubeObject } from './kube-object.ts'
import type { Workload } from './workloads.ts'

/** One of Taproom's apps as a manifest runs it: its environment, and what the app itself makes of it. */
export interface AppSettings {
  readonly app: string
  readonly env: Readonly<Record<string, string>>
  readonly config: KernelConfig
}

/** What became of reading a workload's environment. */
export interface ReadSettings {
  /** Undefined when the app would not start, and for what is no app. */
  readonly settings: AppSettings | undefined
  readonly problems: readonly string[]
}

type ReadConfig = (env: Env) => KernelConfig

/** Images of others. */
const FOREIGN = new Set(['apache/kafka', 'postgres'])

const APPS = new URL('../../../../apps/', import.meta.url)

/**
 * Gives a workload's environment to the configuration of the app that it runs: an app that would not start is a problem, and so is a
 * variable that it does not read. `secrets` are the values of secrets that are not among the objects, by `name/key`.
 */
export async function readSettings(
  workload: Workload,
  objects: readonly KubeObject[],
  secrets: Readonly<Record<string, string>>,
): Promise<ReadSettings> {
  const image = parseImageName(workload.container.image ?? '')
  if (FOREIGN.has(image.repository)) return { settings: undefined, problems: [] }

  const { env, problems } = environmentOf(workload, objects, secrets)
  const app = appOf(image.name, workload.container.args ?? [])
  if (app === undefined) {
    return {
      settings: undefined,
      problems: [`${workload.name}: ${image.name} is none of the images that are built here`],
    }
  }
  const readConfig = await configReaderOf(app)
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
function appOf(image: string, args: readonly string[]): string | undefined {
  const apps = listImages(readdirSync(APPS)).find(({ name }) => name === image)?.apps
  return apps !== undefined && apps.length > 1 ? apps.find((app) => app === args[0]) : apps?.[0]
}

/** Undefined for the stand-ins, which are no app. */
async function configReaderOf(app: string): Promise<ReadConfig | undefined> {
  // Both sinks read what every service reads, and no more.
  if (app === 'aloha-sink' || app === 'bonjour-sink') return (env) => parseEnv(env, kernelConfig)
  if (app === 'local') return undefined
  // Not an import that anybody could follow: which app it is stands in the manifests.
  const module = new URL(`${app}/src/config.ts`, APPS).href
  return ((await import(/* @vite-ignore */ module)) as { readConfig: ReadConfig }).readConfig
}
