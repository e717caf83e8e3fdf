import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runScript } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { EMBEDDED } from '../src/brokers.ts'
import { checkSuite, expectText } from '../src/checks/check-suite.ts'
import { REASONS } from '../src/differences.ts'
import { freePorts, replacePorts } from '../src/ports.ts'
import { needProgram, runProgram } from '../src/program.ts'
import { LeftOutError } from '../src/suite.ts'

const NAMES =
  'franz-go, kafka-go, sarama, kafkajs, aiokafka, confluent-kafka, command-line-tools, streams, connect, kcat'

const suites = (...args: string[]) => runScript(new URL('../scripts/suites.ts', import.meta.url), args)

describe('pnpm suites', () => {
  it('--help says which suites there are', async () => {
    expect(await suites('--help')).toMatchObject({
      code: 0,
      stdout: `pnpm suites [--logs DIR] [--readme] [NAME]…: all, or some of ${NAMES}\n`,
    })
  })

  it.each([
    [['rdkafka'], 'no suite "rdkafka"'],
    [['--all'], "Unknown option '--all'"],
  ])('refuses %j', async (args, reason) => {
    const { code, stderr } = await suites(...args)
    expect(code).toBe(2)
    expect(stderr).toContain(reason)
    expect(stderr).toContain(NAMES)
  })

  it('has each suite in its README', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    for (const name of NAMES.split(', ')) expect(readme).toMatch(new RegExp(`^\\| ${name} `, 'm'))
  })
})

it('embedded-kafka’s README has each explained difference', async () => {
  const readme = await readFile(new URL('../../embedded-kafka/README.md', import.meta.url), 'utf8')
  for (const reason of REASONS) expect(readme).toContain(`| ${reason} `)
})

describe('a suite', () => {
  it('is left out where a program is missing or fails', async () => {
    const timeoutMs = 30_000
    await expect(runProgram('no-such-program', [], { timeoutMs })).rejects.toThrow('there is no no-such-program')
    expect(await runProgram('node', ['--eval', 'setInterval(() => {}, 1000)'], { timeoutMs: 500 })).toMatchObject({
      code: null,
    })
    await expect(needProgram('node', ['--eval', 'throw 1'], { timeoutMs })).rejects.toBeInstanceOf(LeftOutError)
  })

  it('of checks says which failed and why, and runs some of them alone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'taproom-suite-'))
    const run = async () => expectText('water', /beer/)
    const checks = { good: async () => {}, bad: run }
    const suite = checkSuite({ name: 'checks', version: '1', prepare: async () => {}, checks })
    const log = join(folder, 'log')
    const port = await freePorts()
    await using brokers = await EMBEDDED.start({ listeners: `PLAINTEXT://localhost:${port}` })
    expect([...(await suite.run({ folder, brokers, log, port, only: undefined }))]).toEqual([
      ['good', 'passed'],
      ['bad', 'failed'],
    ])
    expect(await readFile(log, 'utf8')).toContain('bad failed: no /beer/ in: water')
    expect([...(await suite.run({ folder, brokers, log, port, only: ['good'] }))]).toEqual([['good', 'passed']])
    await rm(folder, { recursive: true })
  })
})

it('replacePorts changes the ports of tests, and no other numbers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'taproom-suite-'))
  await writeFile(join(folder, 'a_test.go'), 'localhost:9092 {Port: 9093} 19092 1.9092 9094 x9092')
  await replacePorts(folder, ['a_test.go'], { ports: { 9092: 0, 9093: 4 }, first: 20_000 })
  expect(await readFile(join(folder, 'a_test.go'), 'utf8')).toBe(
    'localhost:20000 {Port: 20004} 19092 1.9092 9094 x9092',
  )
  await rm(folder, { recursive: true })
})
