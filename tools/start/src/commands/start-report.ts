import { styleText } from 'node:util'
import { type ServiceLine, visible, visibleLines } from '@taproom/core/lines'
import { ConfigError } from '@taproom/service'
import type { MisspeltVariable } from '../configurations/misspelt.ts'
import { textTable } from '../output/text-table.ts'
import type { ProcessStatus } from '../supervisor/process-status.ts'
import { StartError } from '../supervisor/start-error.ts'

/** A person enters it at the terminal to open the console. */
export const CONSOLE_KEY = 'c'

export type StartReport = ReturnType<typeof createStartReport>

export interface ReadySummary {
  readonly url: string
  readonly rows: readonly TableRow[]
  /** Causes and names of services that are not ready. */
  readonly down: readonly string[]
  /** Services that wait for a debugger's connection, and where. */
  readonly debuggers: readonly { readonly service: string; readonly url: string }[]
  /** Address of the console, with the secret of its session; undefined where there is none. */
  readonly console: string | undefined
  /** A person can open it by {@link CONSOLE_KEY}. Default false. */
  readonly hasKey?: boolean
  /** Undefined when it is switched off. */
  readonly healthPage: string | undefined
  readonly tryLines: readonly string[]
}

export interface TableRow {
  readonly service: string
  readonly url: string
  readonly state: string
  readonly pid: number | undefined
}

export interface StartReportOptions {
  readonly stream: { write(text: string): unknown; readonly isTTY?: boolean }
  /** Milliseconds since the start. Default: since this process began. */
  readonly now?: () => number
}

/** Progress of the start, for the person at the terminal: plain text, on a terminal with colours. */
export function createStartReport({ stream, now = () => performance.now() }: StartReportOptions) {
  const style = (format: 'bold' | 'dim' | 'green' | 'red' | 'yellow', text: string) =>
    stream.isTTY === true ? styleText(format, text) : text
  const say = (text: string) => stream.write(`${text}\n`)
  const startedAt = new Map<string, number>()
  let isStarted = false
  let isStopping = false
  let since = 0
  const begin = () => {
    isStarted = false
    since = now()
  }

  return {
    /** Everything has started, and runs. */
    get isReady(): boolean {
      return isStarted && !isStopping
    },
    /** True for a line that repeats this report: that a service is ready. */
    shows({ service, fields }: ServiceLine): boolean {
      return !isStarted && stream.isTTY === true && fields['msg'] === `${service} ready`
    },
    /** Programs are made into one file each, because their sources changed. */
    bundling(): void {
      say(style('dim', '  bundling  the programs, once for each state of their sources'))
    },
    changed({ name, state }: ProcessStatus): void {
      if (isStarted) return
      if (state === 'starting') {
        startedAt.set(name, now())
        say(style('dim', `  starting  ${name}`))
      }
      if (state === 'ready') {
        const tookMs = now() - (startedAt.get(name) ?? 0)
        say(`  ${style('green', 'ready')}     ${name.padEnd(16)} ${style('dim', `after ${seconds(tookMs)}`)}`)
      }
    },
    ready({ url, rows, down: all, debuggers, console, hasKey = false, healthPage, tryLines }: ReadySummary): void {
      isStarted = true
      say(`\n${table(rows)}\n`)
      const down = visible([...new Set(all)].join(', '))
      const key = hasKey ? style('dim', ` (${CONSOLE_KEY} and Enter opens it)`) : ''
      if (console !== undefined)
        say(`the system as a picture, logs, traces, Kafka, events: ${style('bold', console)}${key}`)
      if (healthPage !== undefined) say(`health of all services: ${visible(healthPage)}\n`)
      for (const { service, url: at } of debuggers)
        say(`debugger of ${service}: ${at} (chrome://inspect, or an editor)\n`)
      const state = down === '' ? style('green', 'ready') : style('yellow', `up, but not ready: ${down};`)
      say(`${state} ${style('bold', visible(url))} after ${seconds(now() - since)}; Ctrl-C stops everything. Try:`)
      say(`${tryLines.map((line) => `  ${visible(line)}`).join('\n')}\n`)
    },
    /** Where the console is, for a person who wants it opened where no browser opens. */
    console(address: string): void {
      say(`the console: ${style('bold', address)}`)
    },
    /** Variables that nothing reads, and the ones that were probably meant. */
    misspelt(variables: readonly MisspeltVariable[]): void {
      for (const { name, meant } of variables) {
        say(style('yellow', `${visible(name)} is read by nothing here; did you mean ${meant}?`))
      }
    },
    /** Another description takes the place of the one that runs. */
    startingAgain(): void {
      begin()
      say('\nsystem.ts changed, the system is started again')
    },
    /** The changed description does not run; the one before is started again. */
    refused(error: unknown): void {
      begin()
      say(style('red', 'system.ts as it is now does not run, as it was before does:'))
      for (const line of problemsOf(error)) say(`  ${visibleLines(line)}`)
    },
    stopping(): void {
      isStarted = true
      isStopping = true
      say('\nstopping; Ctrl-C again ends everything at once')
    },
    /** Everything has ended; says nothing unless `stopping` came before. */
    stopped(): void {
      if (isStopping) say('stopped')
    },
    /** Why it did not start: each problem once. */
    failed(error: unknown): void {
      isStarted = true
      say(style('red', 'pnpm start failed:'))
      for (const line of problemsOf(error)) say(`  ${visibleLines(line)}`)
    },
  }
}

function problemsOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems
  if (error instanceof StartError) return error.sentences
  if (error instanceof Error) return ['code' in error ? error.message : (error.stack ?? error.message)]
  return [String(error)]
}

function table(rows: readonly TableRow[]): string {
  const cells = rows.map(({ service, url, state, pid }) => [service, visible(url), state, String(pid ?? '')])
  return textTable([['service', 'url', 'state', 'pid'], ...cells])
    .map((line) => `  ${line}`)
    .join('\n')
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
