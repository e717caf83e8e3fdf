import { reasonOf, visibleLines } from '@taproom/core/lines'
import { openInBrowser } from '../console/browser.ts'
import { sessionUrl } from '../console/chosen-console.ts'
import { runningConsole, stateDirOf } from './running-system.ts'

const USAGE = `usage: pnpm console
  Prints the address of the console of the running system, and opens it where there is a display.
  --help  print this

The address has the secret of this start. Tabs of the console that are open already get the secret, too.
`

/** Prints and opens the console of the system of a folder, as `pnpm console` does. Sets the exit code when it cannot. */
export async function openConsole(args: readonly string[], root: string): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(USAGE)
  if (args.length > 0) {
    process.stderr.write(USAGE)
    process.exitCode = 2
    return
  }
  try {
    const folders = { cwd: process.cwd(), root }
    const address = sessionUrl(await runningConsole(process.env, folders))
    process.stdout.write(`${address}\n`)
    await openInBrowser(address, { env: process.env, stateDir: stateDirOf(process.env, folders) })
  } catch (error) {
    process.stderr.write(`pnpm console: ${visibleLines(reasonOf(error))}\n`)
    process.exitCode = 1
  }
}
