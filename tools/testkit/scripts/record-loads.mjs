/** For `--import`: appends the path of every file that this process loads to the file that TAPROOM_LOADED_FILES names. */
import { appendFileSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const record = process.env.TAPROOM_LOADED_FILES
const seen = new Set()

function add(path) {
  if (seen.has(path)) return
  seen.add(path)
  appendFileSync(record, `${path}\n`)
}

/** A program that `pnpm start` has bundled has the list of its sources beside it, relative to the root of the repository. */
function addSources(bundle) {
  try {
    const inputs = JSON.parse(readFileSync(join(dirname(bundle), 'inputs.json'), 'utf8'))
    for (const path of Object.keys(inputs)) add(path)
  } catch {
    // Not a bundle of ours.
  }
}

if (record !== undefined) {
  registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) {
        const path = fileURLToPath(url)
        if (!path.includes('node_modules')) add(path)
        else if (basename(path) === 'main.cjs') addSources(path)
      }
      return next(url, context)
    },
  })
}
