import { reasonOf, visibleLines } from '@taproom/core/lines'
import { COMMANDS } from './commands.ts'
import { CliError, CliUsageError } from './errors.ts'

const WIDTH = Math.max(...Object.values(COMMANDS).map(({ syntax }) => syntax.length))
const USAGE = `usage: taproom COMMAND, in the folder of a system.ts or below it

${Object.values(COMMANDS)
  .map(({ syntax, what }) => `  ${syntax.padEnd(WIDTH)}  ${what}`)
  .join('\n')}

Each has --help.
`

async function run([name, ...args]: readonly string[]): Promise<void> {
  if (name === '--help' || name === '-h') return void process.stdout.write(USAGE)
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) {
    throw new CliUsageError(name === undefined ? 'expected a command' : `${JSON.stringify(name)} is no command`)
  }
  await command.run(args)
}

/** Runs the command that `args` begins with. Says what is wrong, and sets the exit code, when that fails. */
export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    await run(args)
  } catch (error) {
    const usage = error instanceof CliUsageError ? `\n${USAGE}` : ''
    const text =
      error instanceof CliError || !(error instanceof Error) ? reasonOf(error) : (error.stack ?? error.message)
    process.stderr.write(`taproom: ${visibleLines(text)}\n${usage}`)
    process.exitCode = error instanceof CliUsageError ? 2 : 1
  }
}
