import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from '../http/page.ts'
import type { PageParts } from './bundle.ts'

/** Beside this file in the published package; not there in the repository. */
const PREBUILT = fileURLToPath(new URL('./files', import.meta.url))

const FILES = new Map<string, { readonly name: keyof PageParts; readonly type: string }>([
  ['/', { name: 'index.html', type: 'text/html; charset=utf-8' }],
  ['/page.js', { name: 'page.js', type: 'text/javascript; charset=utf-8' }],
  ['/page.css', { name: 'page.css', type: 'text/css; charset=utf-8' }],
])

/**
 * The console's page: as `pnpm build` made it in the published package, bundled from the sources in the repository, and again after a change
 * of these.
 */
export const consolePage: Page = async (path) => {
  const file = FILES.get(path)
  return file && { type: file.type, content: await contentOf(file.name) }
}

async function contentOf(name: keyof PageParts): Promise<Uint8Array> {
  if (existsSync(PREBUILT)) return readFile(`${PREBUILT}/${name}`)
  // Loaded at the first visit: the bundler is a tool of the repository.
  const { currentBundle } = await import('./bundle.ts')
  return (await currentBundle())[name]
}
