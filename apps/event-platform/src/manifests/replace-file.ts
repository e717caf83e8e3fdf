import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replaces a file in one step: every reader, also after a power failure at any moment, finds the old text or the new one as a
 * whole. Its owner alone may read it.
 */
export async function replaceFile(path: string, chunks: Iterable<string>): Promise<void> {
  const next = `${path}.new`
  // Created, not overwritten, so that it has this mode and is no link.
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
