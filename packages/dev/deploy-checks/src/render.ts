import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type KubeObject, parseObjects } from './kube-object.ts'

const run = promisify(execFile)

/** Renders a folder that has a `kustomization.yaml`. */
export type Render = (folder: string) => Promise<KubeObject[]>

/** `kustomize` of version 5 or later, or else {@link findKubectl}. Undefined when there is neither. */
export async function findRenderer(): Promise<Render | undefined> {
  const version = await output('kustomize', ['version'])
  return isRecent(version) ? renderWith('kustomize', ['build']) : findKubectl()
}

/** A `kubectl` that has kustomize 5 or later, as 1.27 does; Debian 12's is older. Undefined when there is none. */
export async function findKubectl(): Promise<Render | undefined> {
  const versions = await output('kubectl', ['version', '--client'])
  const version = /^Kustomize Version: (.+)$/m.exec(versions)?.[1] ?? ''
  return isRecent(version) ? renderWith('kubectl', ['kustomize']) : undefined
}

function isRecent(version: string): boolean {
  return Number(/^v(\d+)\./.exec(version.trim())?.[1] ?? 0) >= 5
}

function renderWith(command: string, args: readonly string[]): Render {
  return async (folder) => {
    const { stdout } = await run(command, [...args, folder], { maxBuffer: 16 * 1024 * 1024, timeout: 20_000 })
    return parseObjects(stdout)
  }
}

async function output(command: string, args: readonly string[]): Promise<string> {
  try {
    return (await run(command, args, { timeout: 20_000 })).stdout
  } catch {
    // Not installed, or too old for the arguments.
    return ''
  }
}
