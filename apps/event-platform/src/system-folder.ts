import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Folders of the system that a folder belongs to, the nearest upwards with a `system.ts`; where there is none, below that folder itself. */
export function systemFolder(from: string): { readonly manifests: string; readonly apps: string } {
  let root = from
  while (!existsSync(join(root, 'system.ts')) && root !== dirname(root)) root = dirname(root)
  if (!existsSync(join(root, 'system.ts'))) root = from
  return { manifests: join(root, 'deploy/knative'), apps: join(root, 'apps') }
}
