import { fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Finding, Tally } from '../finding.ts'
import type { ParserMessage, ParserOrder } from '../parser-main.ts'

const MAIN = fileURLToPath(new URL('../parser-main.ts', import.meta.url))
/** A process that is silent for this long is stuck at an input. */
const SILENCE_MS = 20_000
/** The run gives up after this many ends. */
const MOST_ENDS = 5

export interface ParserProcessRun {
  readonly surface: string
  readonly seed: number
  readonly from: number
  readonly until: number
  readonly seconds: number
  /** Folder for the file with the number of the current input. */
  readonly folder: string
  readonly onFinding: (finding: Finding) => void
}

/** Tries a surface's parsers in a process. When it ends or is stuck, another one goes on after that input. */
export async function runParserProcess(run: ParserProcessRun): Promise<Tally> {
  const deadline = performance.now() + run.seconds * 1000
  let total: Tally = { inputs: 0, crashes: 0, serverErrors: 0, longestBlockMs: 0 }
  let { from } = run
  for (let ends = 0; ends < MOST_ENDS && from < run.until; ends += 1) {
    const seconds = (deadline - performance.now()) / 1000
    if (seconds <= 0) break
    const { tally, ended } = await runOnce(run, from, seconds)
    total = added(total, tally)
    if (ended === undefined) break
    run.onFinding(ended.finding)
    const isBlock = ended.finding.kind === 'block'
    total = added(total, {
      inputs: 1,
      crashes: isBlock ? 0 : 1,
      serverErrors: 0,
      longestBlockMs: isBlock ? SILENCE_MS : 0,
    })
    from = ended.finding.input + 1
  }
  return total
}

async function runOnce(
  run: ParserProcessRun,
  from: number,
  seconds: number,
): Promise<{ tally: Tally; ended?: { finding: Finding } }> {
  const position = join(run.folder, `${run.surface}.position`)
  const order: ParserOrder = { surface: run.surface, seed: run.seed, from, until: run.until, seconds, position }
  const child = fork(MAIN, [JSON.stringify(order)], {
    execArgv: ['--conditions=development'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-2000)
  })
  let tally: Tally = { inputs: 0, crashes: 0, serverErrors: 0, longestBlockMs: 0 }
  let isDone = false
  let isSilent = false
  const silence = setTimeout(() => {
    isSilent = true
    child.kill('SIGKILL')
  }, SILENCE_MS)
  child.on('message', (message: ParserMessage) => {
    silence.refresh()
    if (message.kind === 'finding') run.onFinding(message.finding)
    if (message.kind !== 'done') return
    tally = message.tally
    isDone = true
  })
  const [code, signal] = await once(child, 'close')
  clearTimeout(silence)
  if (isDone) return { tally }
  const input = readPosition(position, from)
  const message = isSilent
    ? `read for more than ${SILENCE_MS} ms`
    : `the process ended (${code ?? signal}): ${stderr.trim().split('\n').slice(0, 4).join(' ')}`
  return {
    tally: { ...tally, inputs: input - from },
    ended: { finding: { kind: isSilent ? 'block' : 'crash', input, message, text: '' } },
  }
}

/** The number of the last input; `from` when there was none. */
function readPosition(path: string, from: number): number {
  try {
    const bytes = Buffer.alloc(8)
    const file = openSync(path, 'r')
    const length = readSync(file, bytes, 0, 8, 0)
    closeSync(file)
    return length === 8 ? bytes.readDoubleLE() : from
  } catch {
    return from // It ended before it had opened the file.
  }
}

function added(one: Tally, other: Tally): Tally {
  return {
    inputs: one.inputs + other.inputs,
    crashes: one.crashes + other.crashes,
    serverErrors: one.serverErrors + other.serverErrors,
    longestBlockMs: Math.max(one.longestBlockMs, other.longestBlockMs),
  }
}
