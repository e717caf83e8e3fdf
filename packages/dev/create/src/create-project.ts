import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { NewUsageError } from '@taproom/new'
import { projectFiles } from './project-files.ts'
import { runPnpm } from './run-pnpm.ts'

export interface CreateOptions {
  /** Where it will be. */
  readonly folder: string
  readonly name: string
  /** Hears of each step. */
  tell(line: string): void
}

/** The first service and the first sink are made as all later ones are. */
const FIRST = [
  ['new', 'service', 'hello', '--with', 'http'],
  ['new', 'sink', 'greetings'],
]

/**
 * Makes a repository, installs it and makes its first service and sink. When something fails, nothing of it is left.
 *
 * @throws {NewUsageError} when the folder is there and not empty
 * @throws {PnpmError} when something cannot be installed or made
 */
export async function createProject({ folder, name, tell }: CreateOptions): Promise<void> {
  await requireEmpty(folder)
  try {
    for (const [path, text] of await projectFiles(name)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    tell('installing…')
    await runPnpm(folder, 'install')
    for (const args of FIRST) {
      tell(args.join(' '))
      await runPnpm(folder, ...args)
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function requireEmpty(folder: string): Promise<void> {
  try {
    const [found] = await readdir(folder)
    if (found !== undefined) throw new NewUsageError(`${folder} is not empty: there is ${found}`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTDIR') throw new NewUsageError(`${folder} is a file`)
    if (code !== 'ENOENT') throw error
  }
}
