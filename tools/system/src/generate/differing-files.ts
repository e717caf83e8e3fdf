import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { System } from '../define-system.ts'
import { type WrittenFile, writtenManifests } from './written-files.ts'

/** Keeps the files that are not on the disk as they are to be. */
export async function differingFiles(files: readonly WrittenFile[], root: string): Promise<WrittenFile[]> {
  const present = await Promise.all(files.map(({ path }) => readFile(join(root, path), 'utf8').catch(() => undefined)))
  return files.filter(({ text }, index) => text !== present[index])
}

/** Writes a file, or removes it. */
export async function writeOne({ path, text }: WrittenFile, root: string): Promise<void> {
  const file = join(root, path)
  if (text === undefined) return await rm(file)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

/**
 * Makes deploy/knative what a description says, by the rules of `pnpm generate`, and returns the paths of the files that were not so. Leaves
 * it alone where the system has no event platform.
 *
 * @throws {Error} naming the file when one that differs cannot be written
 */
export async function writeManifests(system: System, root: string): Promise<readonly string[]> {
  const differing = await differingFiles(await writtenManifests(system, root), root)
  for (const file of differing) {
    await writeOne(file, root).catch((cause: NodeJS.ErrnoException) => {
      const reason = cause.code ?? cause.message
      throw new Error(`${file.path} differs from system.ts and cannot be written (${reason})`, { cause })
    })
  }
  return differing.map(({ path }) => path)
}
