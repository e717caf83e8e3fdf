import { ConfigError, type Env, type KernelConfig, kernelConfig, parseEnv } from '@taproom/service'
import { appOfImage, parseImageName, type System } from '@taproom/system'
import { environmentOf } from './environment.ts'
import type { KubeObject } from './kube-object.ts'
import { type Workload, workloadsOf } from './workloads.ts'

/** An app as a manifest runs it: its environment, and the configuration that the app reads from it. */
interface AppSettings {
  readonly env: Readonly<Record<string, string>>
  readonly config: KernelConfig
}

/** All objects of a kustomization, its workloads, and the settings of their apps. */
export interface DeploymentSet {
  readonly objects: readonly KubeObject[]
  readonly workloads: readonly Workload[]
  /** By the workload's name; without apps that would not start and images of other projects. */
  readonly settings: ReadonlyMap<string, AppSettings>
  /** Environments that their apps refuse, and variables that they do not read. */
  readonly problems: readonly string[]
}

type ReadConfig = (env: Env) => KernelConfig

/** Images of other projects. */
const FOREIGN = new Set(['apache/kafka', 'postgres'])

/** Prepares objects for the rules. `secrets` has the values of secrets that are not among them, by `name/key`. */
export async function readDeploymentSet(
  system: System,
  objects: readonly KubeObject[],
  secrets: Readonly<Record<string, string>> = {},
): Promise<DeploymentSet> {
  const workloads = workloadsOf(objects)
  const settings = new Map<string, AppSettings>()
  const problems: string[] = []
  for (const workload of workloads) {
    const image = parseImageName(workload.container.image ?? '')
    if (FOREIGN.has(image.repository)) continue
    const app = appOfImage(image.name, workload.container.args ?? [], system)
    if (app === undefined) {
      problems.push(`${workload.name}: ${image.name} is none of the images that are built here`)
      continue
    }
    const { env, problems: found } = environmentOf(workload, objects, secrets)
    const readConfig = await configReaderOf(app, system)
    const config = readConfig && tryToRead(app, readConfig, env, found)
    if (config !== undefined) settings.set(workload.name, { env, config })
    problems.push(...found.map((problem) => `${workload.name}: ${problem}`))
  }
  return { objects, workloads, settings, problems }
}

/** Undefined, with the reasons among the problems, when the app would not start. */
function tryToRead(app: string, readConfig: ReadConfig, env: Env, problems: string[]): KernelConfig | undefined {
  const asked = new Set<string>()
  const recorded = new Proxy(env, {
    get(target, name) {
      asked.add(String(name))
      return Reflect.get(target, name)
    },
  })
  try {
    return readConfig(recorded)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    problems.push(...error.problems)
    return undefined
  } finally {
    const unread = Object.keys(env).filter((name) => !asked.has(name))
    problems.push(...unread.map((name) => `${app} does not read ${name}`))
  }
}

/** Undefined for the stand-ins, which are no app. */
async function configReaderOf(app: string, system: System): Promise<ReadConfig | undefined> {
  const sink = Object.values(system.sinks).find((one) => one.app === app)
  // Without code a sink reads the variables of every service, and no others.
  if (sink !== undefined && sink.config === undefined) return (env) => parseEnv(env, kernelConfig)
  const module = await (sink ?? system.apps[app])?.config?.()
  return module?.readConfig as ReadConfig | undefined
}
