import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

// Synchronous: those who make bundles do nothing else, and for a thousand small files waiting for the thread pool takes longer than the work.

/** What a bundle was made from, by path, to be compared before it is run. */
export type BundleInputs = Readonly<Record<string, { readonly mtimeMs: number; readonly size: number }>>

/** A process may still load late files of an older bundle. */
const KEEP_OLD_MS = 24 * 60 * 60 * 1000

/**
 * The files of a bundle and the manifests of their packages, by paths relative to `base`. Files of `node_modules` are left out: they change
 * with the lockfile, which belongs into `others`.
 *
 * @throws {Error} when one changed after `startedAt`, in ms since 1970: the bundle may have either
 */
export function inputsOf(
  files: Iterable<string>,
  {
    base,
    others,
    startedAt,
  }: { readonly base: string; readonly others: readonly string[]; readonly startedAt: number },
): BundleInputs {
  const sources = [...files].filter((file) => !relative(base, file).includes('node_modules/'))
  const manifests = sources.map((file) => manifestOf(dirname(file))).filter((file) => file !== undefined)
  const entries = [...new Set([...sources, ...manifests, ...others])].map((file) => {
    const { mtimeMs, size } = statSync(file)
    if (mtimeMs >= startedAt) throw new Error(`${file} changed meanwhile`)
    return [relative(base, file), { mtimeMs, size }] as const
  })
  return Object.fromEntries(entries)
}

/** The nearest `package.json`, upwards from a folder. */
function manifestOf(folder: string): string | undefined {
  const manifest = join(folder, 'package.json')
  if (existsSync(manifest)) return manifest
  return folder === dirname(folder) ? undefined : manifestOf(dirname(folder))
}

/** Writes files by renaming, one after another: several processes may make the same bundle at a time. */
export function writeFiles(files: Iterable<readonly [path: string, content: string]>): void {
  for (const [path, content] of files) {
    const draft = `${path}.${process.pid}`
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(draft, content)
    renameSync(draft, path)
  }
}

/** Removes from a folder, if it is there, what is older than a day and not current. */
export function removeOld(folder: string, current: ReadonlySet<string>): void {
  if (!existsSync(folder)) return
  const isOld = (name: string): boolean => {
    const written = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    return Date.now() - written > KEEP_OLD_MS
  }
  for (const name of readdirSync(folder)) {
    if (!current.has(name) && isOld(name)) rmSync(join(folder, name), { recursive: true, force: true })
  }
}
