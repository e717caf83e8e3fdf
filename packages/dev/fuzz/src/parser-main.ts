/** A process that tries the parsers of one surface and reports findings to its parent. */
import { openSync, writeSync } from 'node:fs'
import type { Finding, Tally } from './finding.ts'
import { PARSER_SURFACES } from './parsers/parser-surfaces.ts'
import { runParsers } from './parsers/run-parsers.ts'

export interface ParserOrder {
  readonly surface: string
  readonly seed: number
  readonly from: number
  readonly until: number
  readonly seconds: number
  /** File with the number of the current input, for the case that this process ends without a message. */
  readonly position: string
}

/** A message of the process: findings, a sign of life, or its end. */
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
  // Also keeps this process alive while a parser waits for a thread that does not.
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
