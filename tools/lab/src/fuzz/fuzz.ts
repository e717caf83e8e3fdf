import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reasonOf } from '@taproom/core/lines'
import type { FuzzArguments } from './arguments.ts'
import type { Run, Tally } from './finding.ts'
import { createFindingLog } from './finding-log.ts'
import { runParserProcess } from './parsers/parser-process.ts'
import { runServers } from './servers/run-servers.ts'
import { SERVER_SURFACES } from './surfaces.ts'

interface Row extends Tally {
  readonly surface: string
  readonly crashes: number
  /** Results that an oracle refuted. */
  readonly wrong: number
  /** Undocumented answers of status 500 and above. */
  readonly serverErrors: number
  readonly blocks: number
}

/**
 * Tries the surfaces one after the other, each for its share of the time, and prints what it finds, a row for each, and at the end the
 * distinct findings.
 *
 * @returns whether nothing was found
 */
export async function fuzz(
  { surfaces, seconds, inputs, seed, only }: FuzzArguments,
  write: (line: string) => void,
): Promise<boolean> {
  const found = await mkdtemp(join(tmpdir(), 'taproom-fuzz-found-'))
  const rows: Row[] = []
  const distinct: string[] = []
  write(aligned(['surface', 'inputs', 'crashes', 'wrong', '5xx', 'longest block', 'seed']))
  for (const surface of surfaces) {
    const log = createFindingLog(surface, seed, found, write)
    const from = only ?? 0
    const until = only === undefined ? inputs : only + 1
    const share = Math.max(1, seconds / surfaces.length)
    const run = { surface, seed, from, until, seconds: share, onFinding: log.add }
    const { problem, ...tally } = await tryOne(run)
    distinct.push(...log.distinct())
    if (problem !== undefined) distinct.push(`${surface} ended: ${problem}`)
    const crashes = log.count('crash') + (problem === undefined ? 0 : 1)
    const [wrong, serverErrors, blocks] = [log.count('wrong'), log.count('5xx'), log.count('block')]
    const row: Row = { surface, ...tally, crashes, wrong, serverErrors, blocks }
    write(lineOf(row, seed))
    rows.push(row)
  }
  const all = totalOf(rows)
  write(lineOf(all, seed))
  if (distinct.length > 0) write(`distinct findings, whose inputs are in ${found}:`)
  for (const line of distinct) write(`  ${line}`)
  const isClean = all.crashes + all.wrong + all.serverErrors + all.blocks === 0
  if (isClean) await rm(found, { recursive: true, force: true })
  return isClean
}

/** The problem is why the run broke off. */
async function tryOne(run: Required<Run>): Promise<Tally & { readonly problem?: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'taproom-fuzz-'))
  try {
    const servers = SERVER_SURFACES[run.surface]
    return servers === undefined
      ? await runParserProcess({ ...run, folder })
      : await runServers(servers, { ...run, folder })
  } catch (error) {
    return { inputs: 0, longestBlockMs: 0, problem: reasonOf(error) }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function totalOf(rows: readonly Row[]): Row {
  const sum = (count: (row: Row) => number) => rows.reduce((total, row) => total + count(row), 0)
  return {
    surface: 'all',
    inputs: sum(({ inputs }) => inputs),
    crashes: sum(({ crashes }) => crashes),
    wrong: sum(({ wrong }) => wrong),
    serverErrors: sum(({ serverErrors }) => serverErrors),
    blocks: sum(({ blocks }) => blocks),
    longestBlockMs: Math.max(0, ...rows.map(({ longestBlockMs }) => longestBlockMs)),
  }
}

function lineOf({ surface, inputs, crashes, wrong, serverErrors, ...cost }: Row, seed: number): string {
  const { longestBlockMs, mostSteps } = cost
  const block = mostSteps === undefined ? `${longestBlockMs.toFixed(1)} ms` : `${mostSteps.toLocaleString('en')} steps`
  const counts = [crashes, wrong, serverErrors].map(String)
  return aligned([surface, inputs.toLocaleString('en'), ...counts, block, String(seed)])
}

const WIDTHS = [15, 11, 7, 5, 5, 16, 9]

/** The cells of a row, the first aligned left, the others right. */
function aligned([first = '', ...others]: readonly string[]): string {
  const [width = 0, ...widths] = WIDTHS
  return [first.padEnd(width), ...others.map((cell, index) => cell.padStart(widths[index] ?? 0))].join('  ')
}
