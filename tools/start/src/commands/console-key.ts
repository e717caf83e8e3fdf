import type { Env } from '@taproom/service'
import { openInBrowser } from '../console/browser.ts'
import { type ChosenConsole, consoleUrl, sessionUrl } from '../console/chosen-console.ts'
import { onTerminalKey, type TerminalKey } from '../console/terminal-key.ts'
import { CONSOLE_KEY, type StartReport } from './start-report.ts'

export interface ConsoleKeyOptions {
  readonly env: Env
  readonly stateDir: string
  readonly report: Pick<StartReport, 'console' | 'isReady'>
}

/**
 * Opens the console of a system that is ready when a person enters the key at the terminal, until it is disposed of; prints the address
 * where no browser opens.
 */
export function openConsoleByKey(console: ChosenConsole, { env, stateDir, report }: ConsoleKeyOptions): TerminalKey {
  const address = sessionUrl({ ...console, url: consoleUrl(console) })
  const open = async () => {
    if (!(await openInBrowser(address, { env, stateDir }).catch(() => false))) report.console(address)
  }
  return onTerminalKey({ key: CONSOLE_KEY, onKey: () => report.isReady && void open() })
}
