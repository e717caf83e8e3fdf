import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type KubeObject, parseObjects } from './kube-object.ts'

const run = promisify(execFile)

/** Renders a folder that has a `kustomization.yaml`. */
export type Render = (folder: string) => Promise<KubeObject[]>

/**
 * Finds what can render here: `kustomize`, or a `kubectl` with one inside. Both must be of kustomize 5 (kubectl 1.27) or later; Debian 12's
 * kubectl is older. Undefined when there is neither.
 */
export async function findRenderer(): Promise<Render | undefined> {
  const kustomize = await output('kustomize', ['version'])
  if (isRecent(kustomize)) return renderWith('kustomize', ['build'])
  const kubectl = await output('kubectl', ['version', '--client'])
  if (isRecent(/^Kustomize Version: (.+)$/m.exec(kubectl)?.[1] ?? '')) return renderWith('kubectl', ['kustomize'])
  return undefined
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
    // Not installed, or too old to know the arguments.
    return ''
  }
}
