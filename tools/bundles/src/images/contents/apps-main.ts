/**
 * `apps-main.js FOLDER APP+APP…`, in a compiled work tree: writes what each image holds, of which the apps are given with `+` between them,
 * into `FOLDER/APP+APP`.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeImageContents } from './image-contents.ts'

async function main([folder = '', ...images]: readonly string[]): Promise<void> {
  for (const apps of new Set(images)) {
    await writeImageContents(apps.split('+').map(placeOf), join(folder, apps))
  }
}

function placeOf(name: string) {
  const folder = [`apps/${name}`, `tools/${name}`, `tools/kafka/${name}`].find((path) => existsSync(path))
  if (folder === undefined) throw new Error(`there is no app ${name}`)
  return { name, folder }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  process.exitCode = 1
})
