/** A process that tries the parsers of one surface, and tells the process that started it what it finds. */
import { openSync, writeSync } from 'node:fs'
import type { Finding, Tally } from './finding.ts'
import { PARSER_SURFACES } from './parsers/parser-surfaces.ts'
import { runParsers } from './parsers/run-parsers.ts'

/** What the process is to do. */
export interface ParserOrder {
  readonly surface: string
  readonly seed: number
  readonly from: number
  readonly until: number
  readonly seconds: number
  /** File that always holds the number of the input being tried, for when this process cannot say it any more. */
  readonly position: string
}

/** What the process tells: findings, that it goes on, and its end. */
export type ParserMessage =
  | { readonly kind: 'finding'; readonly finding: Finding }
  | { readonly kind: 'alive' }
  | { readonly kind: 'done'; readonly tally: Tally }

const TELL_EVERY_MS = 1000

async function main({ surface, seed, from, until, seconds, position }: ParserOrder): Promise<void> {
  const target = await PARSER_SURFACES[surface]?.()
  if (target === undefined) throw new RangeError(`no surface ${surface}`)
  const tell = (message: ParserMessage) => void process.send?.(message)
  const file = openSync(position, 'w')
  const bytes = Buffer.alloc(8)
  const deadline = performance.now() + seconds * 1000
  // Also keeps this process while a parser waits for a thread that does not.
  const telling = setInterval(() => tell({ kind: 'alive' }), TELL_EVERY_MS)
  const tally = await runParsers(target, {
    surface,
    seed,
    from,
    until,
    isOver: () => performance.now() > deadline,
    onInput: (number) => {
      bytes.writeDoubleLE(number)
      writeSync(file, bytes, 0, 8, 0)
    },
    onFinding: (finding) => tell({ kind: 'finding', finding }),
  })
  clearInterval(telling)
  process.send?.({ kind: 'done', tally } satisfies ParserMessage, () => process.disconnect())
}

await main(JSON.parse(process.argv[2] ?? '{}'))
