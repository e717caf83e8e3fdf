import { existsSync, realpathSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readWorkspace, type Workspace } from './published-packages.ts'
import type { Tarball } from './tarball.ts'

/** What an installed package takes. */
export interface Footprint {
  readonly name: string
  /** Unpacked. */
  readonly ownBytes: number
  /** With everything that it depends on, each package once. */
  readonly allBytes: number
  /** How many packages it brings. What is optional or a peer is not counted: the user has it, or has no use for it. */
  readonly dependencies: number
}

/** Ours, before they are anywhere to be installed from, by name. */
export type Packed = ReadonlyMap<string, { readonly workspace: Workspace; readonly tarball: Tarball }>

/** Of one of ours, or of a package that is installed in the folder. */
export async function footprint(name: string, from: string, packed: Packed): Promise<Footprint> {
  const bytesByFolder = new Map<string, number>()
  await collect(name, from, packed, bytesByFolder)
  const bytes = [...bytesByFolder.values()]
  const [ownBytes = 0] = bytes
  return { name, ownBytes, allBytes: bytes.reduce((sum, each) => sum + each, 0), dependencies: bytes.length - 1 }
}

async function collect(name: string, from: string, packed: Packed, bytesByFolder: Map<string, number>): Promise<void> {
  const ours = packed.get(name)
  const folder = ours?.workspace.folder ?? findPackage(name, from)
  if (bytesByFolder.has(folder)) return
  const { dependencies = {} } = ours?.tarball.manifest ?? (await readWorkspace(folder)).manifest
  bytesByFolder.set(folder, ours === undefined ? await bytesOf(folder) : unpackedBytes(ours.tarball))
  for (const needed of Object.keys(dependencies)) await collect(needed, folder, packed, bytesByFolder)
}

function unpackedBytes({ files }: Tarball): number {
  return [...files.values()].reduce((sum, { length }) => sum + length, 0)
}

/** As Node finds it: in the next `node_modules` upwards. */
function findPackage(name: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(candidate)) return realpathSync(candidate)
    if (folder === dirname(folder)) throw new Error(`${name} is not installed for ${from}`)
  }
}

async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(
    (entry) => entry.isFile() && !entry.parentPath.slice(folder.length).includes('node_modules'),
  )
  const sizes = await Promise.all(files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
