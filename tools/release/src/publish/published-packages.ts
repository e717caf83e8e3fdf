import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url))

/** The part of a package.json that is read here. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly description?: string
  readonly keywords?: readonly string[]
  readonly engines?: { readonly node?: string }
  readonly files?: readonly string[]
  /** Its commands. */
  readonly bin?: unknown
  readonly exports?: unknown
  readonly imports?: unknown
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly publishConfig?: { readonly access?: string }
}

export interface Workspace {
  readonly folder: string
  readonly manifest: Manifest
}

/** The workspaces that are published: those whose `publishConfig` says that everybody may have them. */
export async function publishedPackages(): Promise<readonly Workspace[]> {
  const files = globSync('{apps/*,packages/*,tools/*,tools/kafka/*}/package.json', {
    cwd: REPOSITORY,
  }).toSorted()
  const workspaces = await Promise.all(files.map((file) => readWorkspace(join(REPOSITORY, dirname(file)))))
  return workspaces.filter(({ manifest }) => manifest.publishConfig?.access === 'public')
}

export async function readWorkspace(folder: string): Promise<Workspace> {
  return { folder, manifest: JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) }
}
