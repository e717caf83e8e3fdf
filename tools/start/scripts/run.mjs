/**
 * `run.mjs [--for-start] [FILE [ARGUMENT]…]`: installs what is missing, then runs a program on the Node that is installed. Runs itself on
 * Node 20 and imports nothing that is installed.
 */
import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import module from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { missingInstallation } from './installation.mjs'
import { packageManagerProblem } from './package-manager.mjs'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..')
const NODE = join(ROOT, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
/** Where `taproom` has it, too; from here on, Node need not even load what strips types. */
const COMPILED_CODE = join(ROOT, 'node_modules/.cache/taproom-compiled')
const FOR_START = '--for-start'
const WATCH_MS = 1000

async function main(given) {
  const forStart = given[0] === FOR_START
  const [file, ...args] = forStart ? given.slice(1) : given
  const missing = missingInstallation(ROOT, { forStart })
  if (missing !== undefined) {
    const problem = packageManagerProblem(process.env)
    if (problem !== undefined) {
      process.stderr.write(`${problem}\n`)
      process.exitCode = 1
      return
    }
    // Another program may read the output: `$(pnpm --silent run token)`.
    process.stderr.write(`installing ${missing.what}\n`)
    process.exitCode = await run(
      process.env.npm_execpath ?? 'pnpm',
      [...missing.args, '--loglevel=info'],
      ROOT,
      process.stderr,
    )
    if (process.exitCode !== 0) return
  }
  if (file === undefined) return
  const program = resolve(file)
  process.env.NODE_COMPILE_CACHE ||= COMPILED_CODE
  if (process.execPath !== realpathSync(NODE)) {
    process.exitCode = await run(NODE, [...process.execArgv, program, ...args], process.cwd())
    return
  }
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
  process.argv.splice(1, process.argv.length, program, ...args)
  await import(pathToFileURL(program).href)
}

/**
 * Resolves with the code with which it ends. Ctrl-C reaches it, too, and it ends in order; SIGTERM is passed on, and sent when the parent
 * (the package manager) is gone.
 */
async function run(command, args, cwd, stdout = 'inherit') {
  const child = spawn(command, args, { cwd, stdio: ['inherit', stdout, 'inherit'] })
  const ignore = () => {}
  const end = () => child.kill('SIGTERM')
  process.on('SIGINT', ignore).on('SIGTERM', end)
  const parent = process.ppid
  const watch = setInterval(() => process.ppid === parent || end(), WATCH_MS)
  try {
    return await new Promise((done, fail) => {
      child.once('error', fail)
      child.once('exit', (code) => done(code ?? 1))
    })
  } finally {
    clearInterval(watch)
    process.off('SIGINT', ignore).off('SIGTERM', end)
  }
}

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
})
