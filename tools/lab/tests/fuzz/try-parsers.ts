import { expect } from 'vitest'
import type { Finding } from '../../src/fuzz/finding.ts'
import type { ParserTarget } from '../../src/fuzz/parsers/parser-target.ts'
import { runParsers } from '../../src/fuzz/parsers/run-parsers.ts'

interface Inputs {
  readonly surface: string
  readonly seed: number
  /** How many are tried besides the shapes of the target. */
  readonly inputs: number
}

/** Expects that the parsers of a surface read or refuse all shapes of the target and further inputs. */
export async function tryParsers(target: ParserTarget, { surface, seed, inputs }: Inputs): Promise<void> {
  const crashes: string[] = []
  const onFinding = ({ kind, input, message }: Finding) => {
    if (kind === 'crash') crashes.push(`${target.shapes[input]?.[0] ?? `input ${input}`}: ${message}`)
  }
  const until = target.shapes.length + inputs
  const tally = await runParsers(target, { surface, seed, from: 0, until, isTimed: false, onFinding })
  expect(crashes, `with the seed ${seed}`).toEqual([])
  expect(tally.inputs).toBe(until)
}
