/** `pnpm site [build|dev]`: makes the site, or serves it while pages are written. Exit code 1: it could not be made; 2: wrong usage. */
import { parseArgs } from 'node:util'
import { reasonWithCause, visible } from '@taproom/core/lines'
import { type Mode, makeSite, SITE } from '../src/site/build-site.ts'
import { ENTRY_POINTS } from '../src/site/entry-points.ts'

const USAGE = 'pnpm site [build|dev]: the files to serve (default), or a server for whoever writes pages'

function chosen(): Mode | undefined {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' } },
    })
    const [mode = 'build', ...more] = positionals
    if (values.help === true) process.stdout.write(`${USAGE}\n`)
    else if ((mode === 'build' || mode === 'dev') && more.length === 0) return mode
    else throw new RangeError(`"${positionals.join(' ')}" is neither "build" nor "dev"`)
  } catch (error) {
    process.stderr.write(`${visible(reasonWithCause(error))}\n${USAGE}\n`)
    process.exitCode = 2
  }
  return undefined
}

const mode = chosen()
if (mode !== undefined) {
  await makeSite(mode, ENTRY_POINTS).then(
    () => process.stdout.write(`the site is in ${SITE}\n`),
    (error: unknown) => {
      process.stderr.write(`${visible(reasonWithCause(error))}\n`)
      process.exitCode = 1
    },
  )
}
