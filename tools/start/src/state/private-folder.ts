import { lstat, stat } from 'node:fs/promises'

/**
 * Why others than this process's user may write to a folder, or to the link that leads to it; undefined when they may not. They could
 * put links where files are about to be written, or a socket of their own where ours is expected.
 *
 * @throws {NodeJS.ErrnoException} when it does not exist
 */
export async function sharedBecause(path: string): Promise<string | undefined> {
  const [link, folder] = [await lstat(path), await stat(path)]
  const user = process.getuid?.()
  // Windows has neither users by number nor modes.
  if (user === undefined) return undefined
  if (link.uid !== user || folder.uid !== user) return 'belongs to another user'
  return (folder.mode & 0o022) === 0 ? undefined : 'can be written to by other users (chmod go-w takes that away)'
}
