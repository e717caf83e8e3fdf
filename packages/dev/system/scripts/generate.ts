/** `pnpm generate`: writes the parts of deploy/ and README.md that come from system.ts. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
// @boundaries-ignore the description of the system is the root's, and no package's
import { system } from '../../../../system.ts'
import { writtenFiles } from '../src/generate/written-files.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

for (const { path, text } of await writtenFiles(system, ROOT)) {
  const file = join(ROOT, path)
  const present = await readFile(file, 'utf8').catch(() => undefined)
  if (present === text) continue
  if (text === undefined) await rm(file)
  else {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  console.log(`${text === undefined ? 'removed' : 'written'}  ${path}`)
}
