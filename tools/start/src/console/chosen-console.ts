import { randomBytes } from 'node:crypto'
import { freePort } from '@taproom/processes'
import type { StartConfig } from '../config.ts'

/** Where the console will be, before anything is started, and the secret of this run. */
export interface ChosenConsole {
  readonly port: number
  readonly session: string
}

/** The console of a running system: its base URL, and the secret that its API needs. */
export interface RunningConsole {
  readonly url: string
  readonly session: string
}

const SESSION_BYTES = 32

/** Undefined where there is no console. The port is one that was free a moment ago, unless `CONSOLE_PORT` names one. */
export async function chooseConsole({
  consolePort,
}: Pick<StartConfig, 'consolePort'>): Promise<ChosenConsole | undefined> {
  if (consolePort === undefined) return undefined
  return { port: consolePort || (await freePort()), session: randomBytes(SESSION_BYTES).toString('base64url') }
}

/** Base URL of the console. */
export function consoleUrl({ port }: ChosenConsole, host = '127.0.0.1'): string {
  return `http://${host}:${port}`
}

/** Names of a Host header that reach the console, which listens on 127.0.0.1 alone, as they reach the gateway. */
const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1']

/** Where a browser that asks the gateway for a page is led; undefined when it comes from elsewhere than this machine. */
export function consoleFor(host: string | undefined, console: ChosenConsole): string | undefined {
  const name = (host ?? '').replace(/:\d*$/, '').toLowerCase()
  return LOOPBACK.includes(name) ? `${consoleUrl(console, name)}/` : undefined
}

/** What people open. It does not lead over the gateway: a service worker that an app put there could read the fragment with the secret. */
export function sessionUrl({ url, session }: RunningConsole): string {
  return `${url}/#session=${session}`
}
