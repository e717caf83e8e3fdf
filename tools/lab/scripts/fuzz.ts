/** `pnpm fuzz [surface…]`: hostile input for every surface. Exit code 1: something was found; 2: wrong usage. */
import { readArguments, USAGE } from '../src/fuzz/arguments.ts'
import { runCommand } from '../src/harness/command-line.ts'

await runCommand(async (args) => {
  const options = readArguments(args)
  const write = (line: string) => void process.stdout.write(`${line}\n`)
  if (options.help) {
    write(USAGE)
    return true
  }
  // Loads every surface: a wrong command line needs none.
  const { fuzz } = await import('../src/fuzz/fuzz.ts')
  return await fuzz(options, write)
})
