import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Finding, Run, Tally } from '../finding.ts'
import type { ParserMessage, ParserOrder } from './run-order.ts'

const MAIN = fileURLToPath(new URL('../parser-main.ts', import.meta.url))
/** A process that is silent for this long is stuck at an input. */
const SILENCE_MS = 20_000
/** How often the time for which a process is stuck does not count among the run's, so that a surface with a short share goes on. */
const MOST_WAITS = 5

interface ParserProcessRun extends Required<Run> {
  /** Folder for the file with the number of the current input. */
  readonly folder: string
  /** The program of the process. Default: the one with the surfaces of this package. */
  readonly main?: string
}

/** Tries a surface's parsers in a process. When it ends or is stuck, another one goes on after that input. */
export async function runParserProcess(run: ParserProcessRun): Promise<Tally> {
  let deadline = performance.now() + run.seconds * 1000
  let waits = 0
  let inputs = 0
  let longestBlockMs = 0
  for (let { from } = run; from < run.until; ) {
    const seconds = (deadline - performance.now()) / 1000
    if (seconds <= 0) break
    const result = await runOnce({ ...run, from, seconds })
    if ('inputs' in result) {
      inputs += result.inputs
      longestBlockMs = Math.max(longestBlockMs, result.longestBlockMs)
      break
    }
    run.onFinding(result)
    inputs += result.input + 1 - from
    if (result.kind === 'block') {
      longestBlockMs = SILENCE_MS
      waits += 1
      if (waits <= MOST_WAITS) deadline += SILENCE_MS
    }
    from = result.input + 1
  }
  return { inputs, longestBlockMs }
}

/**
 * Reads the result of a process: the inputs tried, or the input at which it ended or was stuck.
 *
 * @throws {Error} when the process ended before its first input: so would the next one
 */
async function runOnce({ folder, onFinding, main = MAIN, ...run }: ParserProcessRun): Promise<Tally | Finding> {
  const position = join(folder, `${run.surface}.position`)
  const child = fork(main, [JSON.stringify({ ...run, position } satisfies ParserOrder)], {
    execArgv: ['--conditions=development'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-2000)
  })
  let result: Tally | undefined
  let isSilent = false
  const silence = setTimeout(() => {
    isSilent = true
    child.kill('SIGKILL')
  }, SILENCE_MS)
  child.on('message', ({ finding, tally }: ParserMessage) => {
    silence.refresh()
    if (finding !== undefined) onFinding(finding)
    result = tally
  })
  const [code, signal] = await once(child, 'close')
  clearTimeout(silence)
  if (result !== undefined) return result
  // Not there when it ended at once.
  const number = await readFile(position, 'utf8').catch(() => '')
  const said = stderr.trim().split('\n').slice(0, 4).join(' ')
  if (number === '') throw new Error(`the process ended before its first input (${code ?? signal}): ${said}`)
  const input = Number(number)
  if (isSilent) return { kind: 'block', input, message: `read for more than ${SILENCE_MS} ms`, text: '' }
  return { kind: 'crash', input, message: `the process ended (${code ?? signal}): ${said}`, text: '' }
}
