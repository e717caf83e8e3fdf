import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from './app-folder.ts'

const FOLDER = 'dist/bundle'

/**
 * An app's bundle, if made from exactly the present sources, by the times and sizes in its record. In an image, which has compiled files
 * only, the bundle was built together with them.
 */
export function currentBundle({ folder, main }: Pick<App, 'folder' | 'main'>): string | undefined {
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
    // Without a readable record the bundle's sources are unknown.
    return []
  }
}
