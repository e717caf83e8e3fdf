import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const SOURCES = fileURLToPath(new URL('../../page', import.meta.url))
const CHART_STYLE = fileURLToPath(import.meta.resolve('uplot/dist/uPlot.min.css'))

/** What the page consists of, by name. */
export type PageParts = Readonly<Record<'index.html' | 'page.js' | 'page.css', Uint8Array>>

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

/** Sources that could not be bundled are bundled anew. */
async function isCurrent(bundle: Promise<Bundle>): Promise<boolean> {
  try {
    const { inputs, madeAt } = await bundle
    return (await newestChange(inputs)) < madeAt
  } catch {
    return false
  }
}

async function bundlePage(): Promise<Bundle> {
  const madeAt = Date.now()
  const htmlFile = join(SOURCES, 'index.html')
  const [script, style, html] = await Promise.all([bundleScript(), joinStyles(), readFile(htmlFile)])
  return {
    parts: { 'index.html': html, 'page.js': Buffer.from(script.code), 'page.css': Buffer.from(style.text) },
    inputs: [htmlFile, ...script.inputs, ...style.inputs],
    madeAt,
  }
}

async function bundleScript() {
  await using bundle = await rolldown({
    input: join(SOURCES, 'main.tsx'),
    platform: 'browser',
    tsconfig: join(SOURCES, 'tsconfig.json'),
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false })
  return { code: output[0].code, inputs: await bundle.watchFiles }
}

/** The base comes first, after it what the views add; a new file changes its folder. */
async function joinStyles() {
  const entries = await readdir(SOURCES, { recursive: true, withFileTypes: true })
  const found = entries.filter(({ name }) => name.endsWith('.css')).map((entry) => join(entry.parentPath, entry.name))
  const base = join(SOURCES, 'base.css')
  const files = [CHART_STYLE, base, ...found.filter((file) => file !== base).sort()]
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return { text: texts.join('\n'), inputs: [...files, ...new Set(found.map((file) => dirname(file)))] }
}

/** When the newest of these files was changed; infinite when one is gone. */
async function newestChange(inputs: readonly string[]): Promise<number> {
  const times = inputs.map(async (file) => {
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    return mtimeMs
  })
  return Math.max(...(await Promise.all(times)))
}
