import type { Area } from './area.ts'
import { measureRounds } from './rounds.ts'

/** The rates of our side of a row, one for each round: a line that `pnpm bench --json` prints. */
export interface Samples {
  readonly area: string
  readonly row: string
  /** The name of our contender. */
  readonly name: string
  readonly unit: string
  /** Higher is better. */
  readonly samples: readonly number[]
}

/** Measures our side of an area alone. A contender that several rows of one name share is given once. */
export async function measureOurs(name: string, { rows, unit }: Area, rounds: number): Promise<readonly Samples[]> {
  const rates = await measureRounds(
    rows.map(({ ours }) => ours),
    rounds,
  )
  const all = rows.map(({ what, ours }): Samples => {
    return { area: name, row: what, name: ours.name, unit, samples: rates.get(ours) ?? [] }
  })
  return [...new Map(all.map((each) => [keyOf(each), each])).values()]
}

/** Identifies a row in two versions. */
export function keyOf({ area, row, name }: Samples): string {
  return `${area}: ${row}, ${name}`
}

/** Reads lines of `pnpm bench --json`, among which others may be. @throws {Error} when one has not its form */
export function readSamples(lines: readonly string[]): readonly Samples[] {
  return lines.filter((line) => line.startsWith('{"area":')).map(parseSamples)
}

function parseSamples(line: string): Samples {
  const { area, row, name, unit, samples } = JSON.parse(line) as Partial<Record<keyof Samples, unknown>>
  const texts = { area, row, name, unit }
  const isText = Object.values(texts).every((text) => typeof text === 'string')
  const isMeasured = Array.isArray(samples) && samples.length > 0 && samples.every((rate) => rate > 0)
  if (!isText || !isMeasured) throw new Error(`not a row of samples: ${line}`)
  return { ...(texts as Record<keyof typeof texts, string>), samples }
}
