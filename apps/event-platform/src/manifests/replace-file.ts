import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Replaces a file atomically, also in case of a power failure: readers see the old text or the new one. Only its owner may read it. */
export async function replaceFile(path: string, chunks: Iterable<string>): Promise<void> {
  const next = `${path}.new`
  // Created, not overwritten: so it gets this mode and is not a link.
  await rm(next, { force: true })
  {
    await using file = await open(next, 'wx', 0o600)
    await file.writeFile(chunks)
    await file.sync()
  }
  await rename(next, path)
  await using folder = await open(dirname(path))
  await folder.sync()
}

/** The text of a file; undefined when there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
