/**
 * `release-executable.mjs FOLDER`: writes embedded-kafka as an executable for this platform into the folder, and starts it once for its version.
 * Imports nothing that is installed, and runs on Linux, macOS and Windows.
 */
import { execFileSync } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const STANDALONE = join(ROOT, 'tools/kafka/standalone')
const [, , given] = process.argv

if (given === undefined) {
  process.stderr.write('usage: node .ci/release-executable.mjs FOLDER\n')
  process.exit(2)
}

// Windows starts npx.cmd by a shell only; the arguments have no spaces.
const options = { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' }
execFileSync('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile'], options)
const build = ['--conditions=development', join(STANDALONE, 'scripts/executable.ts'), resolve(given)]
const written = execFileSync(process.execPath, build, { cwd: STANDALONE, encoding: 'utf8' }).trim()
process.stdout.write(`${written}\n`)
execFileSync(written, ['--version'], { env: { PATH: '' }, stdio: 'inherit' })
