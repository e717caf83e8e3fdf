import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder for temporary files, which is removed with the stack. */
export async function temporaryFolder(opened: AsyncDisposableStack, name: string): Promise<string> {
  return opened.use(await mkdtempDisposable(join(tmpdir(), `${name}-`))).path
}
