import { readFile } from 'node:fs/promises'
import { unpack } from '@publint/pack'
import type { Manifest } from './published-packages.ts'

/** A packed package, read. */
export interface Tarball {
  /** Where it is. */
  readonly path: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly manifest: Manifest
  /** By their paths in the package. */
  readonly files: ReadonlyMap<string, Buffer>
}

export async function readTarball(path: string): Promise<Tarball> {
  const bytes = Uint8Array.from(await readFile(path))
  const { files: packed, rootDir } = await unpack(bytes)
  const files = new Map(packed.map(({ name, data }) => [name.slice(rootDir.length + 1), Buffer.from(data)]))
  return { path, bytes, files, manifest: JSON.parse(String(files.get('package.json'))) }
}
