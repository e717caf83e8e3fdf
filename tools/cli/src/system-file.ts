import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Describer } from '@taproom/start'
import type { System } from '@taproom/system'
import { CliError } from './errors.ts'
import { SYSTEM_FILE } from './system-root.ts'

/** The package of descriptions is a part of this command: all descriptions share its objects. */
const OWN_PACKAGE = new URL('.', import.meta.resolve('@taproom/system')).href

/** Keeps a byte order mark, as `readFile` does. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** The description in a folder's `system.ts`. */
export class SystemFile implements Describer {
  readonly #root: string
  #sources = new Map<string, string | undefined>()
  #times = 0

  constructor(root: string) {
    this.#root = root
  }

  get sources(): ReadonlyMap<string, string | undefined> {
    return this.#sources
  }

  /**
   * The description as the file is now, and as the files of the folder are that it imports. Of CommonJS modules Node keeps the first text.
   *
   * @throws {CliError} when the file does not export one
   */
  async describe(): Promise<System> {
    const file = join(this.#root, SYSTEM_FILE)
    this.#sources = new Map()
    // Node loads a module once for each URL.
    const query = this.#times === 0 ? '' : `?description=${this.#times}`
    this.#times += 1
    const hooks = this.#follow(pathToFileURL(file).href, query)
    try {
      const { system }: { readonly system?: System } = await import(pathToFileURL(file).href + query)
      if (typeof system?.tryIt === 'function') return system
      throw new CliError(`${file} has no system: expected \`export const system = defineSystem({ … })\``)
    } finally {
      hooks.deregister()
    }
  }

  /** Gives all files of the folder that `entry` leads to the same query, and keeps what is read of them. */
  #follow(entry: string, query: string) {
    const sources = this.#sources
    const urls = new Set<string>()
    const readAs = (url: string, text: string | undefined) => void sources.set(fileURLToPath(url), text)
    return registerHooks({
      resolve: (specifier, context, next) => {
        const isEntry = specifier === entry + query
        if (!isEntry && !urls.has(context.parentURL ?? '')) return next(specifier, context)
        try {
          const found = next(specifier, context)
          if (!this.#isOwn(found.url)) return found
          const url = isEntry ? found.url : found.url + query
          urls.add(url)
          return { ...found, url }
        } catch (error) {
          const url = /^\.|^file:/.test(specifier) ? new URL(specifier, context.parentURL).href : ''
          if (this.#isOwn(url) && isMissing(error)) readAs(url, undefined)
          throw error
        }
      },
      load(url, context, next) {
        if (!urls.has(url)) return next(url, context)
        try {
          const loaded = next(url, context)
          const { source } = loaded
          readAs(url, typeof source === 'string' ? source : utf8.decode(source ?? readFileSync(new URL(url))))
          return loaded
        } catch (error) {
          if (isMissing(error)) readAs(url, undefined)
          throw error
        }
      },
    })
  }

  #isOwn(url: string): boolean {
    if (!url.startsWith('file:') || url.startsWith(OWN_PACKAGE)) return false
    const path = fileURLToPath(url)
    return path.startsWith(this.#root + sep) && !path.includes(`${sep}node_modules${sep}`)
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'ENOENT')
}
