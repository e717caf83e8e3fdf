import { join } from 'node:path'
import { waitFor } from '@taproom/testkit'
import { APACHE_VERSION, javaArgs, kafkaClasspath } from '../java.ts'
import { startProgram } from '../running-program.ts'
import type { SuiteRun } from '../suite.ts'
import { type Checks, checkSuite } from './check-suite.ts'
import { createTopic, tool } from './tools/tool.ts'

const LINES = 400
const WAIT = { timeoutMs: 120_000, intervalMs: 500 }

const startWordCount = async (run: SuiteRun, input: string, output: string, state: string) => {
  const args = [run.brokers.bootstrapServers, input, output, join(run.folder, state)]
  return startProgram('java', await javaArgs('WordCount.java', args), { cwd: run.folder, log: run.log })
}

async function sendLines(run: SuiteRun, topic: string): Promise<void> {
  await tool(run, 'kafka-console-producer', `--topic ${topic}`, 'a beer and a beer\n'.repeat(LINES))
}

/** The committed counts of a topic, in the order of their words. */
async function committedCounts(run: SuiteRun, topic: string): Promise<ReadonlyMap<string, readonly number[]>> {
  const args = `--topic ${topic} --from-beginning --isolation-level read_committed --timeout-ms 3000`
  const printed = await tool(run, 'kafka-console-consumer', `${args} --property print.key=true`)
  const counts = new Map<string, number[]>()
  for (const [, word = '', count] of printed.matchAll(/^(\w+)\t(\d+)$/gm)) {
    counts.set(word, [...(counts.get(word) ?? []), Number(count)])
  }
  return counts
}

async function waitForCounts(run: SuiteRun, topic: string, lines: number): Promise<void> {
  await waitFor(
    `${lines} lines counted`,
    async () => {
      const counts = await committedCounts(run, topic)
      return (counts.get('beer')?.length ?? 0) >= 2 * lines && (counts.get('and')?.length ?? 0) >= lines
    },
    WAIT,
  )
}

/** Each count comes once and in order: 1, 2, 3 and so on. */
async function expectExactly(run: SuiteRun, topic: string, lines: number): Promise<void> {
  const counts = await committedCounts(run, topic)
  for (const [word, times] of Object.entries({ a: 2, beer: 2, and: 1 })) {
    const expected = Array.from({ length: times * lines }, (_, index) => index + 1)
    const found = counts.get(word) ?? []
    if (found.join() !== expected.join()) throw new Error(`"${word}" should count to ${times * lines}: ${found.join()}`)
  }
}

const CHECKS: Checks = {
  'Kafka Streams counts words exactly once': async (run) => {
    await createTopic(run, 'lines', 2)
    await createTopic(run, 'counts')
    await using _app = await startWordCount(run, 'lines', 'counts', 'state')
    await sendLines(run, 'lines')
    await waitForCounts(run, 'counts', LINES)
    await expectExactly(run, 'counts', LINES)
  },
  'Kafka Streams counts on after SIGKILL and the loss of its state': async (run) => {
    await createTopic(run, 'killed-lines', 2)
    await createTopic(run, 'killed-counts')
    await using first = await startWordCount(run, 'killed-lines', 'killed-counts', 'first-state')
    await sendLines(run, 'killed-lines')
    await waitFor('the first counts', async () => (await committedCounts(run, 'killed-counts')).size > 0, WAIT)
    await sendLines(run, 'killed-lines')
    await first.kill()
    await using _second = await startWordCount(run, 'killed-lines', 'killed-counts', 'second-state')
    await sendLines(run, 'killed-lines')
    await waitForCounts(run, 'killed-counts', 3 * LINES)
    await expectExactly(run, 'killed-counts', 3 * LINES)
  },
}

/** Kafka Streams. */
export const STREAMS = checkSuite({ name: 'streams', version: APACHE_VERSION, prepare: kafkaClasspath, checks: CHECKS })
