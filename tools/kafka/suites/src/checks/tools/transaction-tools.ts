import { type Checks, expectText } from '../check-suite.ts'
import { createTopic, expectTool, plainTool, produceTo, tool } from './tool.ts'

export const TRANSACTION_CHECKS: Checks = {
  'kafka-producer-perf-test in transactions': async (run) => {
    await createTopic(run, 'perf-transactions')
    const size = '--num-records 5000 --record-size 100 --throughput -1'
    const transactions = '--transactional-id perf-id --transaction-duration-ms 50'
    const props = `--producer-props bootstrap.servers=${run.brokers.bootstrapServers}`
    const args = `--topic perf-transactions ${size} ${transactions} ${props}`
    expectText(await plainTool(run, 'kafka-producer-perf-test', args), /5000 records sent/)
    const consumer = '--isolation-level read_committed --from-beginning --max-messages 5000 --timeout-ms 30000'
    await expectTool(run, 'kafka-console-consumer', `--topic perf-transactions ${consumer}`, /total of 5000 messages/)
  },
  'kafka-transactions lists and describes': async (run) => {
    await createTopic(run, 'transactions')
    const args =
      '--num-records 10 --record-size 10 --throughput -1 --transactional-id listed --transaction-duration-ms 10'
    const props = `--producer-props bootstrap.servers=${run.brokers.bootstrapServers}`
    await plainTool(run, 'kafka-producer-perf-test', `--topic transactions ${args} ${props}`)
    await expectTool(run, 'kafka-transactions', 'list', /listed\s+1\s+\d+\s+CompleteCommit/)
    const described = await tool(run, 'kafka-transactions', 'describe --transactional-id listed')
    expectText(described, /1\s+listed\s+\d+\s+\d+\s+CompleteCommit/)
    const producers = await tool(run, 'kafka-transactions', 'describe-producers --topic transactions --partition 0')
    expectText(producers, /^\d+\s+\d+\s+\d+\s+-?\d+\s+\d+\s+None/m)
    await expectTool(run, 'kafka-transactions', 'find-hanging --broker-id 1', /^Topic\s+Partition/m)
  },
  'transactional-message-copier copies exactly once, with aborts at random': async (run) => {
    await createTopic(run, 'copy-from')
    await createTopic(run, 'copy-to')
    await produceTo(run, 'copy-from', 500)
    const from = '--input-topic copy-from --input-partition 0 --consumer-group copiers --output-topic copy-to'
    const transactions = '--transactional-id copier --transaction-size 20 --enable-random-aborts --use-group-metadata'
    await plainTool(
      run,
      'transactional-message-copier',
      `--broker-list ${run.brokers.bootstrapServers} ${from} ${transactions}`,
    )
    const args = '--topic copy-to --from-beginning --isolation-level read_committed --timeout-ms 5000'
    const consumed = await tool(run, 'kafka-console-consumer', args).catch((error: Error) => error.message)
    const values = consumed.split('\n').filter((line) => /^v\d+$/.test(line))
    const distinct = new Set(values)
    if (values.length !== 500 || distinct.size !== 500)
      throw new Error(`${values.length} records, ${distinct.size} values`)
  },
}
