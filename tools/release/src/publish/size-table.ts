import { join } from 'node:path'
import { type Footprint, footprint, type Packed } from './footprint.ts'
import { REPOSITORY } from './published-packages.ts'

/** What does something similar, by the package of ours that it stands beside in the table. */
const PEERS: Readonly<Record<string, string>> = {
  '@taproom/jwt': 'jose',
  '@taproom/resilience': 'opossum',
  '@taproom/messaging': 'kafkajs',
  '@taproom/health': '@godaddy/terminus',
}
const HERE = join(REPOSITORY, 'tools/release')
const KIB = 1024
const START = '<!-- generated: sizes -->\n\n'
const END = '\n<!-- end of generated -->'
/** So much a size may change before the table has to be written anew. */
const TOLERANCE = 0.15

export interface SizeRow extends Footprint {
  readonly isPeer: boolean
}

/** All packages by name, and each peer below its own. */
export async function sizeRows(packed: Packed): Promise<readonly SizeRow[]> {
  const rows: SizeRow[] = []
  for (const name of [...packed.keys()].toSorted()) {
    rows.push({ ...(await footprint(name, REPOSITORY, packed)), isPeer: false })
    const peer = PEERS[name]
    if (peer !== undefined) rows.push({ ...(await footprint(peer, HERE, new Map())), isPeer: true })
  }
  return rows
}

/** The text with the table in place of the one it has. @throws {Error} when it has none */
export function withTable(text: string, rows: readonly SizeRow[]): string {
  const [start, end] = place(text)
  const kib = (bytes: number) => String(Math.ceil(bytes / KIB))
  const cells = [
    ['package', 'KiB', 'KiB with all it needs', 'packages it needs'],
    ...rows.map(({ name, ownBytes, allBytes, dependencies, isPeer }) => {
      return [isPeer ? `(${name})` : name, kib(ownBytes), kib(allBytes), String(dependencies)]
    }),
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) => `| ${row.map((cell, column) => align(cell, column, widths)).join(' | ')} |\n`
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |\n`
  const [head = [], ...body] = cells
  return text.slice(0, start) + line(head) + rule + body.map(line).join('') + text.slice(end)
}

function align(cell: string, column: number, widths: readonly number[]): string {
  const width = widths[column] ?? 0
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}

/** Where the table of the text is no longer true, a sentence each. */
export function staleRows(text: string, rows: readonly SizeRow[]): readonly string[] {
  const [start, end] = place(text)
  const written = new Map<string, readonly number[]>()
  for (const line of text.slice(start, end).split('\n').slice(2)) {
    const [name = '', ...numbers] = line.split('|').slice(1, -1)
    if (name !== '') written.set(name.trim().replace(/^\((.*)\)$/, '$1'), numbers.map(Number))
  }
  const names = new Set(rows.map(({ name }) => name))
  const gone = [...written.keys()].filter((name) => !names.has(name))
  return [
    ...gone.map((name) => `the table of sizes has ${name}`),
    ...rows
      .filter((row) => !isTrue(row, written.get(row.name)))
      .map(({ name }) => `the table of sizes is wrong for ${name}`),
  ]
}

function isTrue({ ownBytes, allBytes, dependencies }: SizeRow, numbers: readonly number[] | undefined): boolean {
  const [own = 0, all = 0, needs] = numbers ?? []
  const isNear = (kib: number, bytes: number) => Math.abs(kib * KIB - bytes) <= TOLERANCE * bytes + KIB
  return needs === dependencies && isNear(own, ownBytes) && isNear(all, allBytes)
}

function place(text: string): readonly [start: number, end: number] {
  const start = text.indexOf(START) + START.length
  const end = text.indexOf(END, start)
  if (start < START.length || end < 0) throw new Error('there is no place for the table of sizes')
  return [start, end]
}
