/** `node --run build` puts the corrected kafkajs into `dist`: its files as they are, and its exports by name. */
import { copyFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { copyPatched } from './copy-patched.ts'

const inRoom = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

async function main(): Promise<void> {
  await rm(inRoom('dist'), { recursive: true, force: true })
  await copyPatched({
    from: inRoom('node_modules/kafkajs'),
    patch: inRoom('../../patches/kafkajs.patch'),
    to: inRoom('dist/kafkajs'),
  })
  for (const name of ['index.js', 'index.d.ts']) await copyFile(inRoom(`src/${name}`), inRoom(`dist/${name}`))
}

main().catch((error: unknown) => {
  process.stderr.write(`not built: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
