import { run } from '@taproom/processes'

/** Renders a folder that has a `kustomization.yaml`; gives the YAML of all its objects. */
export type Render = (folder: string) => Promise<string>

/** `kustomize` of version 5 or later, or else {@link findKubectl}. Undefined when there is neither. */
export async function findRenderer(): Promise<Render | undefined> {
  return (await find('kustomize', ['version'], ['build'])) ?? (await findKubectl())
}

/** A `kubectl` that has kustomize 5 or later, as 1.27 does; Debian 12's is older. Undefined when there is none. */
export function findKubectl(): Promise<Render | undefined> {
  return find('kubectl', ['version', '--client'], ['kustomize'])
}

async function find(command: string, askVersion: string[], build: string[]): Promise<Render | undefined> {
  // It may be not installed, or too old for the arguments.
  const { stdout: versions } = await run(command, askVersion, { timeout: 120_000 }).catch(() => ({ stdout: '' }))
  const [, major] = /^(?:Kustomize Version: )?v(\d+)\./m.exec(versions) ?? []
  if (!(Number(major) >= 5)) return undefined
  return async (folder) => {
    const { stdout } = await run(command, [...build, folder], { timeout: 120_000 })
    return stdout
  }
}
