import type { SuiteRun } from '../../suite.ts'
import { type Checks, expectText } from '../check-suite.ts'
import { createTopic, expectTool, plainTool, produceTo, tool } from './tool.ts'

async function compressesWith(run: SuiteRun, compression: string): Promise<void> {
  await createTopic(run, compression)
  const lines = `${'beer '.repeat(100)}\n`.repeat(20)
  await tool(run, 'kafka-console-producer', `--topic ${compression} --compression-codec ${compression}`, lines)
  const args = `--topic ${compression} --from-beginning --max-messages 20 --timeout-ms 30000`
  await expectTool(run, 'kafka-console-consumer', args, /^(beer ){100}$/m, /total of 20 messages/)
}

export const RECORD_CHECKS: Checks = {
  'kafka-console-producer and -consumer with keys': async (run) => {
    await createTopic(run, 'console', 3)
    await produceTo(run, 'console', 50)
    const args = '--topic console --from-beginning --max-messages 50 --timeout-ms 30000 --property print.key=true'
    await expectTool(run, 'kafka-console-consumer', args, /^k1\tv1$/m, /^k50\tv50$/m, /total of 50 messages/)
  },
  ...Object.fromEntries(
    ['gzip', 'snappy', 'lz4', 'zstd'].map((compression) => [
      `kafka-console-producer compresses with ${compression}`,
      (run: SuiteRun) => compressesWith(run, compression),
    ]),
  ),
  'kafka-console-consumer in a group of the newer protocol': async (run) => {
    await createTopic(run, 'newer', 2)
    await produceTo(run, 'newer', 10)
    const group = '--consumer-property group.protocol=consumer --group newer-readers'
    const args = `--topic newer --from-beginning --max-messages 10 --timeout-ms 30000 ${group}`
    await expectTool(run, 'kafka-console-consumer', args, /total of 10 messages/)
    await expectTool(run, 'kafka-groups', '--list', /newer-readers +Consumer +consumer/)
  },
  'kafka-producer-perf-test and kafka-consumer-perf-test': async (run) => {
    await createTopic(run, 'perf', 3)
    const size = '--num-records 20000 --record-size 200 --throughput -1'
    const props = `--producer-props bootstrap.servers=${run.brokers.bootstrapServers} compression.type=lz4`
    const produced = await plainTool(run, 'kafka-producer-perf-test', `--topic perf ${size} ${props}`)
    expectText(produced, /20000 records sent/)
    await expectTool(run, 'kafka-consumer-perf-test', '--topic perf --messages 20000 --timeout 30000', /, 2\d{4}, /)
  },
  'kafka-verifiable-producer and -consumer, one in a static group': async (run) => {
    await createTopic(run, 'verified')
    await expectTool(run, 'kafka-verifiable-producer', '--topic verified --max-messages 100', /"sent":100,"acked":100/)
    const args =
      '--topic verified --group-id verifiers --group-instance-id one --max-messages 100 --reset-policy earliest'
    await expectTool(run, 'kafka-verifiable-consumer', args, /"name":"offsets_committed".*"offset":100/)
  },
}
