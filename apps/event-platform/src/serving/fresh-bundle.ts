import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = 'dist/bundle'

/**
 * The one file that an app was bundled into, if it may be run instead of `main`: made from exactly the sources that are there now, by the
 * times and sizes in its record. In an image, where there are compiled files only, a bundle was made together with them.
 */
export function freshBundle({ folder, main }: { readonly folder: string; readonly main: string }): string | undefined {
  const bundle = join(folder, FOLDER, 'main.cjs')
  if (!existsSync(bundle)) return undefined
  return main.endsWith('.js') || isMadeFromThese(folder) ? bundle : undefined
}

function isMadeFromThese(folder: string): boolean {
  const inputs = readRecord(join(folder, FOLDER, 'inputs.json'))
  return (
    inputs.length > 0 &&
    inputs.every(([path, made]) => {
      const now = statSync(join(folder, path), { throwIfNoEntry: false })
      return now !== undefined && now.mtimeMs === made?.mtimeMs && now.size === made.size
    })
  )
}

type Input = { readonly mtimeMs?: unknown; readonly size?: unknown } | null

function readRecord(path: string): readonly (readonly [string, Input])[] {
  try {
    const record: Readonly<Record<string, Input>> = JSON.parse(readFileSync(path, 'utf8'))
    return Object.entries(record)
  } catch {
    // Without a record that can be read, nobody knows what a bundle was made from.
    return []
  }
}
