import { lstat, stat } from 'node:fs/promises'

/**
 * Why a folder, or the link that leads to it, is not for this process's user alone to write to; undefined when it is. Who else may write
 * there could put links in the place of files that are about to be written, or answer in the place of whoever is asked there.
 *
 * @throws NodeJS.ErrnoException when it is not there
 */
export async function sharedBecause(path: string): Promise<string | undefined> {
  const [link, folder] = [await lstat(path), await stat(path)]
  const user = process.getuid?.()
  // Windows has neither users by number nor modes.
  if (user === undefined) return undefined
  if (link.uid !== user || folder.uid !== user) return 'belongs to another user'
  return (folder.mode & 0o022) === 0 ? undefined : 'can be written to by other users (chmod go-w takes that away)'
}
