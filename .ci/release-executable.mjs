/**
 * `release-executable.mjs FOLDER`: writes embedded-kafka as an executable for this platform into the folder, and starts it once for its version.
 * Imports nothing that is installed, and runs on Linux, macOS and Windows.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = resolve(process.argv[2])

function pnpm(...args) {
  // Windows starts npx.cmd by a shell only.
  const options = { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' }
  execFileSync('npx', ['-y', 'pnpm@12', ...args], options)
}

pnpm('install', '--frozen-lockfile')
pnpm('--filter', '@taproom/standalone', 'run', 'executable', folder)
const [name] = readdirSync(folder)
execFileSync(join(folder, name), ['--version'], { env: { PATH: '' }, stdio: 'inherit' })
