import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEPLOY } from './folders.ts'

/** A copy of deploy/, in a folder of its own. */
export async function copied(): Promise<{ readonly root: string } & AsyncDisposable> {
  const root = await mkdtemp(join(tmpdir(), 'deploy-elsewhere-'))
  await cp(DEPLOY, join(root, 'deploy'), { recursive: true })
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) }
}

export const inOverlays = (root: string, name: string) => join(root, 'deploy/kubernetes/overlays', name)
