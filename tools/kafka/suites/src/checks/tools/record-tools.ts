import { type Check, expectText } from '../check-suite.ts'
import { createTopic, plainTool, produceTo, tool } from './tool.ts'

const compressions = ['gzip', 'snappy', 'lz4', 'zstd']

export const RECORD_CHECKS: readonly Check[] = [
  {
    name: 'kafka-console-producer and -consumer with keys',
    async run(run) {
      await createTopic(run, 'console', 3)
      await produceTo(run, 'console', 50)
      const args = '--topic console --from-beginning --max-messages 50 --timeout-ms 30000 --property print.key=true'
      expectText(await tool(run, 'kafka-console-consumer', args), /^k1\tv1$/m, /^k50\tv50$/m, /total of 50 messages/)
    },
  },
  ...compressions.map(
    (compression) =>
      ({
        name: `kafka-console-producer compresses with ${compression}`,
        async run(run) {
          await createTopic(run, compression)
          const lines = `${'beer '.repeat(100)}\n`.repeat(20)
          await tool(run, 'kafka-console-producer', `--topic ${compression} --compression-codec ${compression}`, lines)
          const args = `--topic ${compression} --from-beginning --max-messages 20 --timeout-ms 30000`
          expectText(await tool(run, 'kafka-console-consumer', args), /^(beer ){100}$/m, /total of 20 messages/)
        },
      }) satisfies Check,
  ),
  {
    name: 'kafka-console-consumer in a group of the newer protocol',
    async run(run) {
      await createTopic(run, 'newer', 2)
      await produceTo(run, 'newer', 10)
      const group = '--consumer-property group.protocol=consumer --group newer-readers'
      const args = `--topic newer --from-beginning --max-messages 10 --timeout-ms 30000 ${group}`
      expectText(await tool(run, 'kafka-console-consumer', args), /total of 10 messages/)
      expectText(await tool(run, 'kafka-groups', '--list'), /newer-readers +Consumer +consumer/)
    },
  },
  {
    name: 'kafka-producer-perf-test and kafka-consumer-perf-test',
    async run(run) {
      await createTopic(run, 'perf', 3)
      const size = '--num-records 20000 --record-size 200 --throughput -1'
      const props = `--producer-props bootstrap.servers=${run.brokers.bootstrapServers} compression.type=lz4`
      const produced = await plainTool(run, 'kafka-producer-perf-test', `--topic perf ${size} ${props}`)
      expectText(produced, /20000 records sent/)
      const consumed = await tool(run, 'kafka-consumer-perf-test', '--topic perf --messages 20000 --timeout 30000')
      expectText(consumed, /, 2\d{4}, /)
    },
  },
  {
    name: 'kafka-verifiable-producer and -consumer, one in a static group',
    async run(run) {
      await createTopic(run, 'verified')
      const produced = await tool(run, 'kafka-verifiable-producer', '--topic verified --max-messages 100')
      expectText(produced, /"sent":100,"acked":100/)
      const args =
        '--topic verified --group-id verifiers --group-instance-id one --max-messages 100 --reset-policy earliest'
      expectText(await tool(run, 'kafka-verifiable-consumer', args), /"name":"offsets_committed".*"offset":100/)
    },
  },
]
