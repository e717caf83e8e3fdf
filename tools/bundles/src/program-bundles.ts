import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { currentBundle, describeEnding, endingWithParent, startNode } from '@taproom/processes'
import type { BundlesPlan } from './make-bundles.ts'
import { type SourcePlaces, sourcePlaces } from './source-places.ts'

export interface BundlesOptions extends Omit<BundlesPlan, 'folder'> {
  /** Environment of the process that makes them. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Ends the making. */
  readonly signal: AbortSignal
  /** Called when some are missing or outdated, before they are made. */
  onMaking(): void
}

export interface ProgramBundles {
  /** Why none could be made; programs are then run from their sources. */
  readonly problem: string | undefined
  /** The file to run: the bundle, if it was made from the sources as they are now, or else the main file. */
  mainOf(program: string): string
  readonly sourcePlaces: SourcePlaces
}

/** Where a work tree keeps them. Several may have one `node_modules`. */
const FOLDER = 'node_modules/.cache/taproom-bundles'
/** Characters of what the process said, as the reason why there are none. */
const MAX_REASON = 1000
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const MAKER = fileURLToPath(new URL(`./make-main.${EXTENSION}`, import.meta.url))

/**
 * For Rolldown's allocator, mimalloc. By default it gives memory back to Linux after a second and asks for it again, in huge pages that have
 * to be cleared each time, which may take as long as the bundling itself.
 */
const MEMORY = { MIMALLOC_PURGE_DELAY: '10000', MIMALLOC_ALLOW_THP: '0' }

/**
 * Bundles of programs, made in a process of their own unless all are there and current. They are the whole work tree's: several systems may
 * use and make them at a time.
 */
export async function openBundles({ signal, onMaking, env, ...plan }: BundlesOptions): Promise<ProgramBundles> {
  const folder = folderOf(plan)
  const bundleOf = (name: string) => currentBundle(join(folder, name), plan.root)
  const isCurrent = Object.keys(plan.programs).every((name) => bundleOf(name) !== undefined)
  let problem: string | undefined
  if (!isCurrent && existsSync(join(plan.root, 'node_modules'))) {
    onMaking()
    problem = await make({ ...plan, folder }, env, signal)
  }
  return {
    problem,
    mainOf(program) {
      const main = plan.programs[program] ?? ''
      return bundleOf(program) ?? main
    },
    sourcePlaces: sourcePlaces(folder),
  }
}

/** The bundle of a program that was made at an earlier start, if it is of the sources as they are now. */
export function madeBundle(program: string, tree: Pick<BundlesPlan, 'root' | 'external'>): string | undefined {
  return currentBundle(join(folderOf(tree), program), tree.root)
}

function folderOf({ root, external }: Pick<BundlesPlan, 'root' | 'external'>): string {
  const key = createHash('sha256').update(JSON.stringify([root, external]))
  return join(root, FOLDER, key.digest('hex').slice(0, 12))
}

/** Resolves with the reason when they cannot be made. */
async function make(plan: BundlesPlan, env: BundlesOptions['env'], signal: AbortSignal): Promise<string | undefined> {
  let said = ''
  await using maker = startNode({
    name: 'the bundler',
    args: [...endingWithParent(MAKER), JSON.stringify(plan)],
    env: { ...MEMORY, ...env },
    stdout: 'ignore',
    onLine: (line) => {
      said = `${said}${line}\n`.slice(0, MAX_REASON)
    },
  })
  const end = () => void maker.kill()
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  const ending = await maker.ended
  signal.removeEventListener('abort', end)
  return ending.code === 0 || signal.aborted ? undefined : said.trim() || describeEnding(ending)
}
