import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reasonOf } from '@taproom/lines'
import type { FuzzArguments } from './arguments.ts'
import { BLOCK_LIMIT_MS, type Finding, type Tally } from './finding.ts'
import { createFindingLog } from './finding-log.ts'
import { runParserProcess } from './parsers/parser-process.ts'
import { runServers } from './servers/run-servers.ts'
import { SERVER_SURFACES } from './surfaces.ts'

interface Row extends Tally {
  readonly surface: string
  /** Why the run on it broke off. */
  readonly problem?: string
}

/**
 * Tries the surfaces one after the other, each for its share of the time, and prints what it finds and a table.
 *
 * @returns whether nothing was found
 */
export async function fuzz(
  { surfaces, seconds, inputs, seed, only }: FuzzArguments,
  write: (line: string) => void,
): Promise<boolean> {
  const found = await mkdtemp(join(tmpdir(), 'taproom-fuzz-found-'))
  const deadline = performance.now() + seconds * 1000
  const rows: Row[] = []
  const notes: string[] = []
  for (const [index, surface] of surfaces.entries()) {
    const share = (deadline - performance.now()) / 1000 / (surfaces.length - index)
    const log = createFindingLog({ surface, seed, folder: found, write })
    const from = only ?? 0
    const row = await tryOne({
      surface,
      seed,
      from,
      inputs: only === undefined ? inputs : 1,
      seconds: Math.max(1, share),
      onFinding: log.add,
    })
    rows.push(row)
    notes.push(...log.summary())
    if (surfaces.length > 1 || row.problem !== undefined) write(lineOf(row))
  }
  for (const note of notes) write(note)
  for (const line of tableOf(rows, seed)) write(line)
  const isClean = rows.every(isKept)
  if (isClean) await rm(found, { recursive: true, force: true })
  return isClean
}

interface OneRun {
  readonly surface: string
  readonly seed: number
  readonly from: number
  readonly inputs: number
  readonly seconds: number
  readonly onFinding: (finding: Finding) => void
}

async function tryOne(run: OneRun): Promise<Row> {
  const { surface } = run
  const folder = await mkdtemp(join(tmpdir(), 'taproom-fuzz-'))
  try {
    const servers = SERVER_SURFACES[surface]
    if (servers === undefined)
      return { surface, ...(await runParserProcess({ ...run, until: run.from + run.inputs, folder })) }
    const deadline = performance.now() + run.seconds * 1000
    return { surface, ...(await runServers(servers, { ...run, folder, isOver: () => performance.now() > deadline })) }
  } catch (error) {
    const problem = reasonOf(error)
    return { surface, inputs: 0, crashes: 1, serverErrors: 0, longestBlockMs: 0, problem }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function isKept({ crashes, serverErrors, longestBlockMs }: Row): boolean {
  return crashes === 0 && serverErrors === 0 && longestBlockMs <= BLOCK_LIMIT_MS
}

function lineOf(row: Row): string {
  return `${row.surface}: ${row.inputs} inputs, ${row.crashes} crashes, ${row.serverErrors} 5xx, longest block ${row.longestBlockMs.toFixed(1)} ms${row.problem === undefined ? '' : `, ended: ${row.problem}`}`
}

function tableOf(rows: readonly Row[], seed: number): readonly string[] {
  const total: Row = {
    surface: 'all',
    inputs: rows.reduce((sum, { inputs }) => sum + inputs, 0),
    crashes: rows.reduce((sum, { crashes }) => sum + crashes, 0),
    serverErrors: rows.reduce((sum, { serverErrors }) => sum + serverErrors, 0),
    longestBlockMs: Math.max(0, ...rows.map(({ longestBlockMs }) => longestBlockMs)),
  }
  const cells = [
    ['surface', 'inputs', 'crashes', '5xx', 'longest block', 'seed'],
    ...[...rows, total].map((row) => [
      row.surface,
      row.inputs.toLocaleString('en'),
      String(row.crashes),
      String(row.serverErrors),
      `${row.longestBlockMs.toFixed(1)} ms`,
      String(seed),
    ]),
  ]
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? []
  return cells.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  )
}
