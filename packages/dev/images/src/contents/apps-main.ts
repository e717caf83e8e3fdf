/** `apps-main.js FOLDER APP…`, in a compiled work tree: writes what images hold of each app into `FOLDER/APP`. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeAppContents } from './app-contents.ts'

async function main([folder = '', ...apps]: readonly string[]): Promise<void> {
  for (const app of apps) {
    const place = [`apps/${app}`, `packages/dev/${app}`].find((path) => existsSync(path))
    if (place === undefined) throw new Error(`there is no app ${app}`)
    await writeAppContents(place, join(folder, app))
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  process.exitCode = 1
})
