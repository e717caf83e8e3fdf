import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { undeclaredFiles } from './tools/testkit/src/report/undeclared-files.ts'
import { configuration } from './vitest.config.ts'

const RECORDER = pathToFileURL(join(import.meta.dirname, 'tools/testkit/scripts/record-loads.mjs'))
const record = join(mkdtempSync(join(tmpdir(), 'taproom-loaded-')), 'files')

/** Tests that run this repository's system: they fail when a process loads a file that turbo.json does not name among their inputs. */
export default configuration('test:system', {
  env: { NODE_OPTIONS: `--import=${RECORDER}`, TAPROOM_LOADED_FILES: record },
  check: () => undeclaredFiles({ root: import.meta.dirname, workspace: process.cwd(), record }),
})
