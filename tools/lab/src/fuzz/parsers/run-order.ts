import { openSync, writeSync } from 'node:fs'
import type { Finding, Run, Tally } from '../finding.ts'
import type { OpenParsers } from './parser-target.ts'
import { runParsers } from './run-parsers.ts'

export interface ParserOrder extends Omit<Run, 'onFinding'> {
  /** File with the number of the current input, for the case that this process ends without a message. */
  readonly position: string
}

/** A message of the process: a finding, what was tried when it is done, or neither as a sign of life. */
export interface ParserMessage {
  readonly finding?: Finding
  readonly tally?: Tally
}

const TELL_EVERY_MS = 1000

/** Carries out the order in this process's first argument and reports to the parent process. */
export async function runOrder(surfaces: Readonly<Record<string, OpenParsers>>): Promise<void> {
  const { position, ...run }: ParserOrder = JSON.parse(process.argv[2] ?? '{}')
  const target = await surfaces[run.surface]?.()
  if (target === undefined) throw new RangeError(`no surface ${run.surface}`)
  const tell = (message: ParserMessage) => void process.send?.(message)
  const file = openSync(position, 'w')
  // Also keeps this process alive while a parser waits for a thread that does not.
  const telling = setInterval(() => tell({}), TELL_EVERY_MS)
  const tally = await runParsers(target, {
    ...run,
    // Numbers never get shorter, so that each one covers that before it.
    onInput: (number) => void writeSync(file, String(number), 0),
    onFinding: (finding) => tell({ finding }),
  })
  clearInterval(telling)
  process.send?.({ tally } satisfies ParserMessage, () => process.disconnect())
}
