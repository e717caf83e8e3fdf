import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { run, runHere } from './plain-npm.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the tarballs. */
    readonly tarballs: string
    /** A user's folder, in which all of them are installed. */
    readonly user: string
    /** The oldest Node that the packages are for. */
    readonly oldestNode: string
    /** The Node that `TAPROOM_USER_NODE` names, or the repository's own. */
    readonly userNode: string
  }
}

const OLDEST_NODE = '22.18.0'
const OLDEST_TYPESCRIPT = '5.4'

/**
 * Packs everything by the command of the README, unless `TAPROOM_PACKED` names the folder where that was done, and installs it with npm alone
 * beside what a user may have.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'taproom-packages-'))
  const packed = process.env['TAPROOM_PACKED']
  const tarballs = packed ?? join(folder, 'tarballs')
  const user = join(folder, 'user')
  await mkdir(user)
  if (packed === undefined) process.stdout.write(await runHere('pnpm', '-s', 'packages', tarballs))
  await writeFile(join(user, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }))
  const files = (await readdir(tarballs)).map((name) => join(tarballs, name))
  const node = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const needed = [`${node}@${OLDEST_NODE}`, `typescript@${OLDEST_TYPESCRIPT}`]
  const others = [...needed, 'kafkajs@2.2.4', '@types/express@5', '@types/node@24', 'cloudevents@10']
  await run(user, 'npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', ...files, ...others)
  provide('tarballs', tarballs)
  provide('user', user)
  provide('oldestNode', join(user, 'node_modules', node, 'bin/node'))
  provide('userNode', process.env['TAPROOM_USER_NODE'] ?? process.execPath)
  return () => rm(folder, { recursive: true, force: true })
}
