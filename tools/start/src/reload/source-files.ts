import { readdir, readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { importsOf } from '../supervisor/imports.ts'

/** Texts of files by path, as they were read; undefined for a file that was missing. */
export type Sources = ReadonlyMap<string, string | undefined>

/** The files of which a program is made, without those of other people's packages. */
export interface SourceGraph {
  /** Their texts by path, as they were last read. */
  readonly files: ReadonlyMap<string, string>
  /** Files that are imported and not there. */
  readonly missing: ReadonlySet<string>
}

interface SourceFile {
  /** Undefined when it is not there. */
  readonly text: string | undefined
  readonly changedMs: number
  readonly size: number
  /** Paths of the files that it leads to. */
  readonly leadsTo: readonly string[]
}

const ABSENT: SourceFile = { text: undefined, changedMs: 0, size: 0, leadsTo: [] }
const MODULE = /\.(?:[cm]?[jt]s)$/
/** Most files of one program: more are no program of ours. */
const MAX_FILES = 20_000

/**
 * The sources in a folder and what they import, read again only when they changed. A program consists of the files that its main file leads
 * to by imports; the `package.json` of their packages; and, of their packages' `src`, what no import names: workers (`*-worker.ts`) and what
 * is no TypeScript, such as pages.
 */
export class SourceFiles {
  readonly #root: string
  readonly #signal: AbortSignal
  readonly #known = new Map<string, SourceFile>()

  /** Once `signal` is aborted nothing more is read. */
  constructor(root: string, signal: AbortSignal) {
    this.#root = resolve(root)
    this.#signal = signal
  }

  /** Reads a program; a part of it when the signal is aborted meanwhile. */
  async graph(main: string): Promise<SourceGraph> {
    const files = new Map<string, string>()
    const missing = new Set<string>()
    let paths = [main]
    while (paths.length > 0 && files.size < MAX_FILES && !this.#signal.aborted) {
      const read = await Promise.all(paths.map((path) => this.#read(path)))
      for (const [index, { text }] of read.entries()) {
        const path = paths[index] ?? ''
        if (text === undefined) missing.add(path)
        else files.set(path, text)
      }
      const next = new Set(read.flatMap(({ leadsTo }) => leadsTo))
      paths = [...next].filter((path) => !files.has(path) && !missing.has(path))
    }
    return { files, missing }
  }

  /** Reads these files, and none to which they lead. */
  async only(paths: Iterable<string>): Promise<SourceGraph> {
    const files = new Map<string, string>()
    const missing = new Set<string>()
    for (const path of paths) {
      const { text } = await this.#read(path)
      if (text === undefined) missing.add(path)
      else files.set(path, text)
    }
    return { files, missing }
  }

  /** Reads again all that was read before; gives the paths whose contents differ. */
  async refresh(): Promise<ReadonlySet<string>> {
    const before = [...this.#known]
    const changed = await Promise.all(
      before.map(async ([path, { text, changedMs, size }]) => {
        const now = await timesOf(path)
        if (now.changedMs === changedMs && now.size === size) return undefined
        this.#known.delete(path)
        return (await this.#read(path)).text === text ? undefined : path
      }),
    )
    return new Set(changed.filter((path) => path !== undefined))
  }

  /** Those of some files that changed after a time, in ms since 1970. */
  changedSince(paths: Iterable<string>, ms: number): readonly string[] {
    return [...paths].filter((path) => (this.#known.get(path)?.changedMs ?? 0) > ms)
  }

  async #read(path: string): Promise<SourceFile> {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    const { text, times } = await textOf(path)
    const file = text === undefined ? ABSENT : { text, ...times, leadsTo: await this.#leadsTo(path, text) }
    this.#known.set(path, file)
    return file
  }

  async #leadsTo(path: string, text: string): Promise<readonly string[]> {
    const manifest = this.#manifestOf(path)
    const own = path === manifest ? await unnamed(join(dirname(path), 'src')) : []
    if (!MODULE.test(path)) return own
    const imported = importsOf(text).map((specifier) => this.#resolve(specifier, path))
    return [...imported, manifest].filter((found) => found !== undefined)
  }

  /** A file of the folder; undefined for packages of others and for what is built in. */
  #resolve(specifier: string, from: string): string | undefined {
    if (specifier.startsWith('.')) return resolve(dirname(from), specifier)
    try {
      // With this process's own conditions, `development` among them. What cannot be found is reported by the program that misses it.
      const found = createRequire(from).resolve(specifier)
      return this.#isOwn(found) ? found : undefined
    } catch {
      return undefined
    }
  }

  #isOwn(path: string): boolean {
    return path.startsWith(this.#root + sep) && !path.includes(`${sep}node_modules${sep}`)
  }

  /** Of the package that has a `src` folder around a file, or of the file itself. */
  #manifestOf(path: string): string | undefined {
    if (basename(path) === 'package.json') return path
    const at = path.lastIndexOf(`${sep}src${sep}`)
    return at < 0 ? undefined : join(path.slice(0, at), 'package.json')
  }
}

/** Files that imports may not name. */
async function unnamed(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile() && (/-worker\.ts$/.test(entry.name) || !/\.ts$|^\.|~$/.test(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** How often a file is read that is written meanwhile: what comes after that is noticed as a change. */
const TRIES = 3

/** A text with the times that belong to it: with older ones a change that it has already would never count as one. */
async function textOf(path: string) {
  for (let tries = 1; ; tries += 1) {
    const times = await timesOf(path)
    const text = await readFile(path, 'utf8').catch(() => undefined)
    const { changedMs, size } = await timesOf(path)
    if (tries === TRIES || (changedMs === times.changedMs && size === times.size)) return { text, times }
  }
}

async function timesOf(path: string): Promise<{ changedMs: number; size: number }> {
  try {
    const { mtimeMs, ctimeMs, size } = await stat(path)
    return { changedMs: Math.max(mtimeMs, ctimeMs), size }
  } catch {
    return ABSENT
  }
}
