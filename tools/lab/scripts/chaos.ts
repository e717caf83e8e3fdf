/** `pnpm chaos RUN`: causes faults in the real services and checks the promises. Exit code 1: one is broken; 2: wrong usage. */
import { visible } from '@taproom/core/lines'
import { COMMANDS, USAGE } from '../src/chaos/commands.ts'
import { runCommand, UsageError } from '../src/harness/command-line.ts'

await runCommand(async ([name = '', ...args]) => {
  if (name === '--help' || name === '-h') {
    process.stdout.write(USAGE)
    return true
  }
  if (!Object.hasOwn(COMMANDS, name))
    throw new UsageError(name === '' ? USAGE : `no run "${visible(name)}"\n\n${USAGE}`)
  const run = COMMANDS[name as keyof typeof COMMANDS]
  return await run(args, (line) => process.stdout.write(`${visible(line)}\n`))
})
