import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The file `main.cjs` of a folder, if it was made from exactly the present sources, by the times and sizes that `inputs.json` beside it has
 * of them; paths there are relative to `base`.
 */
export function currentBundle(folder: string, base: string): string | undefined {
  const bundle = join(folder, 'main.cjs')
  if (!existsSync(bundle)) return undefined
  const inputs = readRecord(join(folder, 'inputs.json'))
  const isCurrent =
    inputs.length > 0 &&
    inputs.every(([path, made]) => {
      const now = statSync(join(base, path), { throwIfNoEntry: false })
      return now !== undefined && now.mtimeMs === made?.mtimeMs && now.size === made.size
    })
  return isCurrent ? bundle : undefined
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
