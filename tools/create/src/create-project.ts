import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { NewUsageError } from '@taproom/cli/new'
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
 * Makes a repository, installs it and makes its first service and sink. When something fails, nothing of it is left; an empty folder that was there
 * before is.
 *
 * @throws {NewUsageError} when the folder is there and not empty
 * @throws {PnpmError} when something cannot be installed or made
 */
export async function createProject({ folder, name, tell }: CreateOptions): Promise<void> {
  const isThere = await isEmptyFolder(folder)
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
    const made = isThere ? (await readdir(folder)).map((name) => join(folder, name)) : [folder]
    for (const path of made) await rm(path, { recursive: true, force: true })
    throw error
  }
}

/** Returns whether the folder is there. @throws {NewUsageError} when it is there and no empty folder */
async function isEmptyFolder(folder: string): Promise<boolean> {
  try {
    const [found] = await readdir(folder)
    if (found !== undefined) throw new NewUsageError(`${folder} is not empty: there is ${found}`)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTDIR') throw new NewUsageError(`${folder} is a file`)
    if (code !== 'ENOENT') throw error
    return false
  }
}
