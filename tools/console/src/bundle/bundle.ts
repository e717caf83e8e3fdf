import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { run } from '@taproom/processes'
import type { MadeBundle } from './make-bundle.ts'

const MAKER = fileURLToPath(new URL('./bundle-main.ts', import.meta.url))
const TIMEOUT_MS = 60_000

export type PageParts = Readonly<Record<keyof MadeBundle['parts'], Uint8Array>>

interface Bundle {
  readonly parts: PageParts
  readonly inputs: readonly string[]
  readonly madeAt: number
}

let current: Promise<Bundle> | undefined

/** The page as its sources are now; callers at the same time share one bundling. */
export async function currentBundle(): Promise<PageParts> {
  const known = current
  const isFresh = known !== undefined && (await isCurrent(known))
  if (!isFresh && current === known) current = bundlePage()
  return (await (current ?? bundlePage())).parts
}

/** False also after a failure: sources that could not be bundled are tried again. */
async function isCurrent(bundle: Promise<Bundle>): Promise<boolean> {
  try {
    const { inputs, madeAt } = await bundle
    return (await newestChange(inputs)) < madeAt
  } catch {
    return false
  }
}

/** In a process of its own: the bundler takes 150 MB, and would keep them. */
async function bundlePage(): Promise<Bundle> {
  const madeAt = Date.now()
  const { stdout } = await run(process.execPath, ['--conditions=development', MAKER], { timeout: TIMEOUT_MS })
  const { parts, inputs }: MadeBundle = JSON.parse(stdout)
  const bytes = Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)])
  return { parts: Object.fromEntries(bytes), inputs, madeAt }
}

/** When the newest of these files was changed; infinite when one is gone. */
async function newestChange(inputs: readonly string[]): Promise<number> {
  const times = inputs.map(async (file) => {
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    return mtimeMs
  })
  return Math.max(...(await Promise.all(times)))
}
