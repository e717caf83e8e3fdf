import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const SOURCES = fileURLToPath(new URL('../../page', import.meta.url))
const CHART_STYLE = fileURLToPath(import.meta.resolve('uplot/dist/uPlot.min.css'))

/** The parts of the page by name, and the files and folders of its sources. */
export interface MadeBundle {
  readonly parts: Readonly<Record<'index.html' | 'page.js' | 'page.css', string>>
  readonly inputs: readonly string[]
}

export async function makeBundle(): Promise<MadeBundle> {
  const htmlFile = join(SOURCES, 'index.html')
  const [script, style, html] = await Promise.all([bundleScript(), joinStyles(), readFile(htmlFile, 'utf8')])
  return {
    parts: { 'index.html': html, 'page.js': script.code, 'page.css': style.text },
    inputs: [htmlFile, ...script.inputs, ...style.inputs],
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
