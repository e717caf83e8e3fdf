import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { collectPages, writePages } from './collect-pages.ts'
import { picturesIn } from './page-links.ts'
import { sidebarOf } from './sidebar.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
/** An installation of its own, so that nobody who only starts or tests the system installs the generators. */
export const PRESS = fileURLToPath(new URL('../../press', import.meta.url))
const PAGES = join(PRESS, 'dist/pages')

/** Where the built site is. */
export const SITE = join(PRESS, 'dist/site')

/** What `vitepress` is asked for: files to serve, or a server that follows changes of the collected pages. */
export type Mode = 'build' | 'dev'

export class SiteError extends Error {
  override readonly name = 'SiteError'
}

/**
 * Makes the site of this repository. Installs the generators first when they are missing, which needs the network.
 *
 * @param files of the entry points whose exports are described, from the root
 * @throws {SiteError} when a program fails, as VitePress does for a link that leads nowhere; it has said why
 * @throws {DeadLinkError} when a page links to a file that is not there
 */
export async function makeSite(mode: Mode, files: readonly string[]): Promise<void> {
  const written = await collectPages(ROOT)
  await run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', '--reporter=silent'])
  await rm(PAGES, { recursive: true, force: true })
  await mkdir(PAGES, { recursive: true })
  const entryPoints = files.flatMap((file) => ['--entryPoints', join(ROOT, file)])
  await run('pnpm', ['exec', 'typedoc', '--options', 'typedoc.json', '--logLevel', 'Error', ...entryPoints])
  const pages = new Map([...written, ...(await readInterfaces())])
  await writePages(pages, PAGES)
  for (const picture of picturesIn(written)) await cp(join(ROOT, picture), join(PAGES, 'public', picture))
  await writeFile(join(PRESS, 'dist/sidebar.json'), JSON.stringify(sidebarOf(pages)))
  await run('pnpm', ['exec', 'vitepress', mode])
}

/** What TypeDoc wrote, its titles without the folder. */
async function readInterfaces(): Promise<ReadonlyMap<string, string>> {
  await rm(join(PAGES, 'api/README.md'))
  const paths = (await Array.fromAsync(glob('api/**/*.md', { cwd: PAGES }))).sort()
  const texts = paths.map(async (path) =>
    (await readFile(join(PAGES, path), 'utf8')).replace(/^# (?:.*\/)?([^/]+)\/src(\/\w+)?$/m, '# $1$2'),
  )
  return new Map((await Promise.all(texts)).map((text, index) => [paths[index] ?? '', text]))
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { cwd: PRESS, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new SiteError(`${program} ${args.slice(0, 2).join(' ')} ended with ${code}; see above`)
}
