/** Writes the page beside the code that serves it, for the published package: `dist/bundle/files`. */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { currentBundle } from '../src/bundle/bundle.ts'

const folder = fileURLToPath(new URL('../dist/bundle/files', import.meta.url))
await mkdir(folder, { recursive: true })
for (const [name, bytes] of Object.entries(await currentBundle())) await writeFile(`${folder}/${name}`, bytes)
