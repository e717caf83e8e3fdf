import type { System } from '@taproom/system'
import { type AppSettings, readSettings } from './app-settings.ts'
import type { KubeObject } from './kube-object.ts'
import { type Workload, workloadsOf } from './workloads.ts'

/** All objects of a kustomization, its workloads, and the settings of their apps. */
export interface DeploymentSet {
  readonly objects: readonly KubeObject[]
  readonly workloads: readonly Workload[]
  /** By the workload's name; without apps that would not start and images of other projects. */
  readonly settings: ReadonlyMap<string, AppSettings>
  /** Environments that their apps refuse. */
  readonly problems: readonly string[]
}

/** Prepares objects for the rules. `secrets` has the values of secrets that are not among them, by `name/key`. */
export async function readDeploymentSet(
  system: System,
  objects: readonly KubeObject[],
  secrets: Readonly<Record<string, string>> = {},
): Promise<DeploymentSet> {
  const workloads = workloadsOf(objects)
  const read = await Promise.all(
    workloads.map(async (workload) => ({ workload, ...(await readSettings(workload, { system, objects, secrets })) })),
  )
  return {
    objects,
    workloads,
    settings: new Map(read.flatMap(({ workload, settings }) => (settings ? [[workload.name, settings]] : []))),
    problems: read.flatMap(({ problems }) => problems),
  }
}
