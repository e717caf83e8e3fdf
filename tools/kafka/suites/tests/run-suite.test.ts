import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { BrokerKind } from '../src/broker-kind.ts'
import { freePorts } from '../src/ports.ts'
import { runSuite } from '../src/run-suite.ts'
import { LeftOutError, type Outcome, type Suite } from '../src/suite.ts'

type Runs = readonly Readonly<Record<string, Outcome>>[]

/** Brokers that are ports only: the outcomes of each run are planted. */
function kindOf(name: string, asked: (string | undefined)[]): BrokerKind {
  return {
    name,
    async start({ listeners }) {
      asked.push(`${name} at ${listeners}`)
      return {
        bootstrapServers: name,
        stop: async () => {},
        start: async () => {},
        [Symbol.asyncDispose]: async () => {},
      }
    },
  }
}

function suiteOf(planted: Readonly<Record<string, Runs>>, onlys: unknown[], expected?: readonly string[]): Suite {
  const run = new Map<string, number>()
  return {
    name: 'planted',
    version: 'v1',
    prepare: async () => {},
    ...(expected !== undefined && { expected: async () => expected }),
    async run({ brokers: { bootstrapServers: kind }, only }) {
      const index = run.get(kind) ?? 0
      run.set(kind, index + 1)
      onlys.push([kind, only])
      const outcomes = planted[kind]?.[index]
      if (outcomes === undefined) throw new LeftOutError(`no test ran on ${kind}`)
      return new Map(Object.entries(outcomes))
    },
  }
}

async function runPlanted(planted: Readonly<Record<string, Runs>>, expected?: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'taproom-suite-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const started: string[] = []
  const onlys: unknown[] = []
  const said: string[] = []
  const kinds = [kindOf('ours', started), kindOf('peer', started)] as const
  const { comparison, withoutPeer } = await runSuite(suiteOf(planted, onlys, expected), {
    folder,
    logs: folder,
    say: (line) => said.push(line),
    kinds,
  })
  return { comparison, withoutPeer, started, onlys, said }
}

it('runs again what failed, and what only the other broker reached', async () => {
  const { comparison, onlys } = await runPlanted({
    ours: [
      { A: 'failed', B: 'passed', C: 'failed' },
      { A: 'passed', B: 'failed', C: 'failed', D: 'passed' },
    ],
    peer: [{ A: 'passed', C: 'passed', D: 'passed' }, { B: 'passed' }],
  })
  expect(onlys).toEqual([
    ['ours', undefined],
    ['peer', undefined],
    ['ours', ['A', 'C', 'D']],
    ['peer', ['B']],
  ])
  expect(comparison).toMatchObject({ ours: { passed: 3, of: 4 }, peer: { passed: 4, of: 4 }, notComparable: [] })
  expect(comparison.differences).toEqual([{ test: 'C', ours: 'failed', because: undefined }])
})

it('what Apache Kafka does not reach alone either is not comparable', async () => {
  const { comparison } = await runPlanted({
    ours: [{ A: 'passed', B: 'passed' }],
    peer: [{ A: 'passed' }, { A: 'passed' }],
  })
  expect(comparison.notComparable).toEqual(['B'])
})

it('runs again what a crash kept from both, and says what still was not reached', async () => {
  const { comparison, onlys } = await runPlanted(
    { ours: [{ A: 'passed' }, { B: 'passed', C: 'passed' }], peer: [{ A: 'passed' }, { B: 'passed' }] },
    ['A', 'B', 'C'],
  )
  expect(onlys.slice(2)).toEqual([
    ['ours', ['B', 'C']],
    ['peer', ['B', 'C']],
  ])
  expect(comparison).toMatchObject({ ours: { passed: 3, of: 3 }, notComparable: ['C'] })
})

it('shows embedded-kafka where Apache Kafka does not run', async () => {
  const { comparison, withoutPeer } = await runPlanted({ ours: [{ A: 'passed' }], peer: [] })
  expect(withoutPeer).toBe('no test ran on peer')
  expect(comparison).toMatchObject({ ours: { passed: 1, of: 1 }, notComparable: ['A'] })
})

it('is left out where no test runs on embedded-kafka', async () => {
  await expect(runPlanted({ ours: [], peer: [{ A: 'passed' }] })).rejects.toThrow('no test ran on ours')
})

it('keeps the first outcomes where the second run does not start', async () => {
  const { comparison, said } = await runPlanted({
    ours: [{ A: 'failed', B: 'passed' }],
    peer: [{ A: 'passed', B: 'failed' }],
  })
  expect(comparison).toMatchObject({ ours: { passed: 1, of: 2 }, peer: { passed: 1, of: 2 }, passedByUs: ['B'] })
  expect(comparison.differences).toEqual([{ test: 'A', ours: 'failed', because: undefined }])
  expect(said).toContain('planted: on ours, they did not run again: no test ran on ours')
  expect(said).toContain('planted: on peer, they did not run again: no test ran on peer')
})

it('gives both brokers the same port', async () => {
  const { started } = await runPlanted({ ours: [{ A: 'passed' }], peer: [{ A: 'passed' }] })
  const [, port] = /^ours at PLAINTEXT:\/\/localhost:(\d+)$/.exec(started[0] ?? '') ?? []
  expect(started[1]).toBe(`peer at PLAINTEXT://localhost:${port}`)
})

describe('freePorts', () => {
  it('passes over a row of ports of which one is taken', async () => {
    const first = await freePorts()
    const taken = createServer().listen(first + 1, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await once(taken, 'listening')
    const second = await freePorts()
    const candidates = [first, second]
    expect(await freePorts(async () => candidates.shift() ?? expect.fail('no more candidates'))).toBe(second)
  })
})
