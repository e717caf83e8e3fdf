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
  /** Undefined when the app would not start, and for images that run none of the apps. */
  readonly settings: AppSettings | undefined
  readonly problems: readonly string[]
}

type ReadConfig = (env: Env) => KernelConfig

/** Images that run none of the apps. */
const FOREIGN = new Set(['apache/kafka', 'postgres', 'standins'])

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
  const app = image.name === 'event-sinks' ? (workload.container.args?.[0] ?? '') : image.name
  const readConfig = await configReaderOf(app)
  if (readConfig === undefined) {
    return { settings: undefined, problems: [`${workload.name}: ${image.name} ${app} is none of the apps`] }
  }

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

async function configReaderOf(app: string): Promise<ReadConfig | undefined> {
  // Both sinks read what every service reads, and no more.
  if (app === 'aloha-sink' || app === 'bonjour-sink') return (env) => parseEnv(env, kernelConfig)
  if (!/^[a-z-]+$/.test(app)) return undefined
  try {
    // Not an import that anybody could follow: which app it is stands in the manifests.
    const module = new URL(`../../../apps/${app}/src/config.ts`, import.meta.url).href
    return ((await import(/* @vite-ignore */ module)) as { readConfig: ReadConfig }).readConfig
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}
