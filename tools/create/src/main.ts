#!/usr/bin/env node
import { resolve } from 'node:path'
import { NewUsageError } from '@taproom/cli/new'
import { reasonOf, visibleLines } from '@taproom/core/lines'
import { CREATE_USAGE, readArguments } from './arguments.ts'
import { createProject } from './create-project.ts'

async function main(): Promise<void> {
  const { name, help } = readArguments(process.argv.slice(2))
  if (help) return void process.stdout.write(CREATE_USAGE)
  await createProject({ folder: resolve(name), name, tell: (line) => process.stdout.write(`${line}\n`) })
  process.stdout.write(`
made ${name}. Try:

  cd ${name}
  npx -y pnpm@12 start    # the whole system on http://localhost:8080
  npx -y pnpm@12 test

README.md has more.
`)
}

main().catch((error: unknown) => {
  const usage = error instanceof NewUsageError ? `\n${CREATE_USAGE}` : ''
  process.stderr.write(`create-taproom: ${visibleLines(reasonOf(error))}\n${usage}`)
  process.exitCode = error instanceof NewUsageError ? 2 : 1
})
