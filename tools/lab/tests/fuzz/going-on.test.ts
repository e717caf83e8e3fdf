import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, waitFor } from '@taproom/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Finding } from '../../src/fuzz/finding.ts'
import { createFindingLog, MOST_SORTS } from '../../src/fuzz/finding-log.ts'
import { runParserProcess } from '../../src/fuzz/parsers/parser-process.ts'
import { BLOCKED, type Measure, STEPS } from '../../src/fuzz/servers/measure.ts'
import { runServers } from '../../src/fuzz/servers/run-servers.ts'
import { onStage } from '../../src/fuzz/servers/stage.ts'
import { createRandom } from '../../src/harness/random.ts'
import { ask } from './fixtures/ask.ts'

const found: Finding[] = []
const order = { seed: 1, seconds: 600, from: 0, onFinding: (finding: Finding) => void found.push(finding) }
let folder: string

beforeEach(async () => {
  found.length = 0
  folder = await mkdtemp(join(tmpdir(), 'taproom-fuzz-test-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** The fragile server, which is sent these texts one by one. */
const fragile = (texts: readonly string[], measure: Measure) =>
  onStage(async ({ start }) => {
    const port = await freePort()
    const { errors } = start('tools/lab/tests/fuzz/fixtures/fragile-server-main.ts', { PORT: String(port) })
    await waitFor('the server', async () => (await ask(port, 'hello')) !== '')
    const sendable = (text: string) => ({
      async send() {
        await ask(port, text)
        return []
      },
      text: () => text,
      bytes: text.length,
    })
    return {
      shapes: texts.map((text) => [text, () => sendable(text)]),
      input: () => sendable('hello'),
      probe: async () => ((await ask(port, 'hello')) === '' ? ['no answer'] : []),
      errors: () => errors,
    }
  }, measure)

const tryTexts = (texts: readonly string[], measure: Measure) =>
  runServers(fragile(texts, measure), { ...order, surface: 'fragile', folder, until: texts.length + 1 })

describe('a surface goes on after a finding', () => {
  it('with servers that end at six of seven inputs', async () => {
    const ends = ['end 1', 'end 2', 'end 3', 'hello', 'end 4', 'end 5', 'end 6']
    const tally = await tryTexts(ends, BLOCKED)
    expect(tally).toMatchObject({ inputs: 8 })
    expect(found.map(({ kind, text }) => [kind, text])).toEqual(
      ends.filter((text) => text !== 'hello').map((text) => ['crash', text]),
    )
  })

  it('with a parser that ends its process at every fifth input', async () => {
    const inputs = Array.from({ length: 60 }, (_, number) => number)
    const ending = inputs.filter((number) => createRandom('fragile', order.seed, number).below(5) === 0)
    expect(ending.length).toBeGreaterThan(6)
    const main = fileURLToPath(new URL('fixtures/fragile-parser-main.ts', import.meta.url))
    const tally = await runParserProcess({ ...order, surface: 'fragile', folder, until: inputs.length, main })
    expect(found.map(({ kind, input }) => [kind, input])).toEqual(ending.map((number) => ['crash', number]))
    expect(tally.inputs).toBe(inputs.length)
  })
})

describe('the cost of an input', () => {
  it('is judged by counted steps where they are the measure: one that is out of proportion to its bytes is found', async () => {
    const tally = await tryTexts(['hello', 'waste', 'hello again'], STEPS)
    expect(found.map(({ kind, text }) => [kind, text])).toEqual([['block', 'waste']])
    expect(found[0]?.message).toMatch(/^its work took 3\d,\d{3},\d{3} steps$/)
    expect(tally.mostSteps).toBeGreaterThan(30_000_000)
  })
})

describe('the distinct findings', () => {
  const noted = (messages: readonly string[]) => {
    const lines: string[] = []
    const log = createFindingLog('tokens', 7, folder, (line) => lines.push(line))
    for (const [input, message] of messages.entries()) log.add({ kind: 'wrong', input, message, text: 'x' })
    return { printed: lines.filter((line) => line.startsWith('FOUND')), distinct: log.distinct() }
  }

  it('are one for those that differ in numbers or after a semicolon, with what repeats the first', () => {
    const { printed, distinct } = noted(['accepted; got 1', 'accepted; got x', 'read 5', 'accepted; z', 'accepted; y'])
    expect(distinct).toEqual([
      '4 times wrong tokens --seed 7 --only 0: accepted; got 1',
      '1 times wrong tokens --seed 7 --only 2: read 5',
    ])
    expect(printed).toHaveLength(4)
  })

  it('are bounded', () => {
    const names = Array.from({ length: 26 * 4 }, (_, index) =>
      String.fromCharCode(97 + (index % 26)).repeat(1 + index / 26),
    )
    const { printed, distinct } = noted(names)
    expect(distinct).toHaveLength(MOST_SORTS)
    expect(distinct.at(-1)).toMatch(/^85 times others, first wrong tokens/)
    expect(printed.length).toBeLessThan(3 * MOST_SORTS)
  })
})
