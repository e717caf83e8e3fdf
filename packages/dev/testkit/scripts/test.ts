/** `pnpm test`: all tests once; with `--watch` what a change touches, until Ctrl-C. Other arguments are turbo's: `--filter NAME`. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'

/** What Node compiled for tests, by `vitest.config.ts`; that of folders which tests made and removed stays in it. */
const COMPILED = 'node_modules/.cache/compiled-for-tests'
const MOST_COMPILED = 20_000
if (existsSync(COMPILED) && readdirSync(COMPILED, { recursive: true }).length > MOST_COMPILED) {
  rmSync(COMPILED, { recursive: true, force: true })
}

const given = process.argv.slice(2)
const rest = given.filter((argument) => argument !== '--watch')
const command =
  rest.length === given.length
    ? ['run', 'test', '--continue', ...rest]
    : ['watch', 'test', '--continue', '--output-logs=new-only', ...rest]

const turbo = spawn('turbo', command, { stdio: 'inherit', shell: process.platform === 'win32' })
// Ctrl-C reaches turbo, too, and it ends in order; any other signal is passed on.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => turbo.kill())
turbo.once('error', (error) => {
  process.stderr.write(`pnpm test: turbo cannot be run: ${error.message}\n`)
  process.exitCode = 1
})
turbo.once('exit', (code) => {
  process.exitCode = code ?? 1
})
