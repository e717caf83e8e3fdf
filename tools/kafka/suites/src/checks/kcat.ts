import { runProgram } from '../program.ts'
import { LeftOutError, type SuiteRun } from '../suite.ts'
import { type Checks, checkSuite, expectText } from './check-suite.ts'

const RUN_MS = 60_000

async function kcat({ brokers, log }: SuiteRun, args: string, input?: string): Promise<string> {
  const options = { log, timeoutMs: RUN_MS, ...(input !== undefined && { input }) }
  const { code, stdout, stderr } = await runProgram(
    'kcat',
    ['-b', brokers.bootstrapServers, ...args.split(' ')],
    options,
  )
  if (code !== 0) throw new Error(`kcat ${args} ended with ${code}: ${stderr.slice(0, 2000)}`)
  return stdout
}

const RECORDS = Array.from({ length: 30 }, (_, index) => `k${index}:v${index}\n`).join('')

/** Keys and values in the order of the keys: a topic has several partitions. */
const sorted = (text: string) => text.trim().split('\n').toSorted().join()

const CODECS = ['none', 'gzip', 'snappy', 'lz4', 'zstd']

async function roundTrip(run: SuiteRun, codec: string): Promise<void> {
  await kcat(run, `-P -t records-${codec} -K : -z ${codec} -H brewery=taproom`, RECORDS)
  const consumed = await kcat(run, `-C -t records-${codec} -K : -e -q -o beginning`)
  if (sorted(consumed) !== sorted(RECORDS)) throw new Error(consumed)
  expectText(await kcat(run, `-C -t records-${codec} -e -q -f %h`), /brewery=taproom/)
}

const CHECKS: Checks = {
  'lists brokers and topics': async (run) => {
    await kcat(run, '-P -t listed', 'beer\n')
    expectText(
      await kcat(run, '-L'),
      new RegExp(`broker 1 at ${run.brokers.bootstrapServers} \\(controller\\)`),
      /topic "listed" with 3 partitions/,
    )
    expectText(await kcat(run, '-L -J -t listed'), /"topic":"listed","partitions":\[\{"partition":0,"leader":1/)
  },
  ...Object.fromEntries(
    CODECS.map((codec) => [
      `produces and consumes with compression ${codec}`,
      (run: SuiteRun) => roundTrip(run, codec),
    ]),
  ),
  'asks for offsets by time': async (run) => {
    await kcat(run, '-P -t timed -p 0', 'a\nb\nc\n')
    expectText(await kcat(run, '-Q -t timed:0:-1'), /timed \[0\] offset 3/)
    expectText(await kcat(run, '-Q -t timed:0:1'), /timed \[0\] offset 0/)
  },
  'consumes from the end and from a time': async (run) => {
    await kcat(run, '-P -t seek -p 0', 'a\nb\nc\n')
    expectText(await kcat(run, '-C -t seek -p 0 -o -1 -e -q'), /^c$/m)
    expectText(await kcat(run, '-C -t seek -p 0 -o s@1 -e -q'), /^a\nb\nc$/m)
  },
  'consumes in a group, and goes on where it was': async (run) => {
    await kcat(run, '-P -t grouped -p 0', 'a\nb\n')
    const group = '-G readers -X auto.offset.reset=earliest -q -c'
    expectText(await kcat(run, `${group} 2 grouped`), /^a\nb$/m)
    await kcat(run, '-P -t grouped -p 0', 'c\n')
    expectText(await kcat(run, `${group} 1 grouped`), /^c$/m)
  },
  'produces idempotently and in a transaction': async (run) => {
    await kcat(run, '-P -t exact -p 0 -X enable.idempotence=true', 'a\n')
    await kcat(run, '-P -t exact -p 0 -X transactional.id=kcat', 'b\nc\n')
    expectText(await kcat(run, '-C -t exact -p 0 -e -q -X isolation.level=read_committed'), /^a\nb\nc$/m)
  },
}

/** kcat, with the librdkafka that it was built with. */
export const KCAT = checkSuite({
  name: 'kcat',
  version: 'as installed',
  needs: { defaultPartitions: 3 },
  async prepare() {
    const { code } = await runProgram('kcat', ['-V'], { timeoutMs: RUN_MS })
    if (code !== 0) throw new LeftOutError('kcat does not run')
  },
  checks: CHECKS,
})
