/** `pnpm sdks [SDK…]`: events of CloudEvents SDKs through the broker. Exit code 1: one changed on its way; 2: wrong usage. */
import { parseOptions, runCommand, UsageError } from '../src/harness/command-line.ts'
import { SDKS } from '../src/sdks/sdks.ts'

const NAMES = Object.keys(SDKS)
const USAGE = `usage: pnpm sdks [SDK…]: ${NAMES.join(', ')}; all of them without a name`

await runCommand(async (args) => {
  const write = (line: string) => void process.stdout.write(`${line}\n`)
  const options = { help: { type: 'boolean' } } as const
  const { values, positionals } = parseOptions(args, options, { usage: USAGE, allowPositionals: true })
  if (values.help) {
    write(USAGE)
    return true
  }
  const unknown = positionals.find((name) => !NAMES.includes(name))
  if (unknown !== undefined) throw new UsageError(`no SDK "${unknown}"\n${USAGE}`)
  const { trySdks } = await import('../src/sdks/try-sdks.ts')
  return await trySdks(positionals.length === 0 ? NAMES : positionals, write)
})
