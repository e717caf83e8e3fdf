import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, resolve } from 'node:path'

/** Replaces places in bundles, as stacks have them, by those of the sources. */
export type SourcePlaces = (text: string) => string

/** Reads the maps beside the bundles of a folder, each when the first place in its bundle is met. */
export function sourcePlaces(folder: string): SourcePlaces {
  const maps = new Map<string, SourceMap | undefined>()
  const escaped = folder.replaceAll(/[^\w/-]/g, '\\$&')
  const place = new RegExp(`${escaped}/([\\w@./-]+\\.cjs):(\\d+)(?::(\\d+))?`, 'g')

  function mapOf(file: string): SourceMap | undefined {
    if (!maps.has(file)) maps.set(file, readMap(join(folder, `${file}.map`)))
    return maps.get(file)
  }

  function sourceOf(found: string, file: string, line: string, column: string | undefined): string {
    // A line alone stands for its end, which is in the statement that is on it.
    const at = column === undefined ? Number.MAX_SAFE_INTEGER : Number(column) - 1
    const entry = mapOf(file)?.findEntry(Number(line) - 1, at)
    if (entry === undefined || !('originalSource' in entry) || entry.generatedLine !== Number(line) - 1) return found
    const source = resolve(folder, dirname(file), entry.originalSource)
    const inLine = column === undefined ? '' : `:${entry.originalColumn + 1}`
    return `${source}:${entry.originalLine + 1}${inLine}`
  }

  return (text) => (text.includes(folder) ? text.replaceAll(place, sourceOf) : text)
}

function readMap(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    // Without one the place in the bundle says more than none.
    return undefined
  }
}
