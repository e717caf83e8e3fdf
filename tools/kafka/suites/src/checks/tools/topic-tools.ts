import { type Checks, expectText } from '../check-suite.ts'
import { createTopic, expectTool, plainTool, produceTo, tool, toolFile } from './tool.ts'

export const TOPIC_CHECKS: Checks = {
  'kafka-topics creates, lists and describes': async (run) => {
    const created = await tool(
      run,
      'kafka-topics',
      '--create --topic pils --partitions 3 --config cleanup.policy=compact',
    )
    expectText(created, /Created topic pils/)
    await expectTool(run, 'kafka-topics', '--list', /^pils$/m)
    const described = await tool(run, 'kafka-topics', '--describe --topic pils')
    expectText(described, /PartitionCount: 3\s+ReplicationFactor: 1\s+Configs: .*cleanup.policy=compact/)
    expectText(described, /Partition: 2\s+Leader: 1\s+Replicas: 1\s+Isr: 1/)
  },
  'kafka-topics adds partitions and deletes': async (run) => {
    await createTopic(run, 'stout')
    await tool(run, 'kafka-topics', '--alter --topic stout --partitions 4')
    await expectTool(run, 'kafka-topics', '--describe --topic stout', /PartitionCount: 4/)
    await tool(run, 'kafka-topics', '--delete --topic stout')
    await expectTool(run, 'kafka-topics', '--list --topic stout.*', /^\s*$/)
  },
  'kafka-topics refuses what cannot be': async (run) => {
    await createTopic(run, 'ale')
    const problems = [
      ['--create --topic ale', /Topic 'ale' already exists/],
      ['--create --topic porter --replication-factor 2', /Unable to replicate the partition 2 time\(s\)/],
      ['--create --topic porter --config no.such=1', /Unknown topic config name: no\.such/],
      ['--create --topic bad/name', /is invalid/],
      ['--alter --topic ale --partitions 1', /already has 1 partition/],
    ] as const
    for (const [args, reason] of problems) {
      const refused = await tool(run, 'kafka-topics', args).then(
        () => 'taken',
        (error: Error) => error.message,
      )
      expectText(refused, reason)
    }
  },
  'kafka-get-offsets by time': async (run) => {
    await createTopic(run, 'offsets')
    await produceTo(run, 'offsets', 7)
    await expectTool(run, 'kafka-get-offsets', '--topic offsets', /^offsets:0:7$/m)
    await expectTool(run, 'kafka-get-offsets', '--topic offsets --time earliest', /^offsets:0:0$/m)
    await expectTool(run, 'kafka-get-offsets', '--topic offsets --time max-timestamp', /^offsets:0:[0-6]$/m)
    await expectTool(run, 'kafka-get-offsets', '--topic offsets --time 1', /^offsets:0:0$/m)
  },
  'kafka-get-offsets of tiered and local logs': async (run) => {
    await createTopic(run, 'local')
    await produceTo(run, 'local', 2)
    await expectTool(run, 'kafka-get-offsets', '--topic local --time earliest-local', /^local:0:0$/m)
    await expectTool(run, 'kafka-get-offsets', '--topic local --time latest-tiered', /^(local:0:-1)?\s*$/)
  },
  'kafka-delete-records up to an offset': async (run) => {
    await createTopic(run, 'deleted')
    await produceTo(run, 'deleted', 5)
    const partitions = [{ topic: 'deleted', partition: 0, offset: 3 }]
    const file = await toolFile(run, 'delete-records.json', { version: 1, partitions })
    const deleted = await tool(run, 'kafka-delete-records', `--offset-json-file ${file}`)
    expectText(deleted, /partition: deleted-0\s+low_watermark: 3/)
    await expectTool(run, 'kafka-get-offsets', '--topic deleted --time earliest', /^deleted:0:3$/m)
  },
  'kafka-log-dirs describes': async (run) => {
    await createTopic(run, 'sized')
    await produceTo(run, 'sized', 5)
    const described = await tool(run, 'kafka-log-dirs', '--describe --topic-list sized')
    expectText(described, /"partition":"sized-0","size":[1-9]\d*,"offsetLag":0,"isFuture":false/)
  },
  'kafka-reassign-partitions generates, executes and verifies': async (run) => {
    await createTopic(run, 'moved')
    const topics = await toolFile(run, 'topics.json', { version: 1, topics: [{ topic: 'moved' }] })
    const generate = `--topics-to-move-json-file ${topics} --broker-list 1 --generate`
    await expectTool(
      run,
      'kafka-reassign-partitions',
      generate,
      /Proposed partition reassignment.*\n.*"replicas":\[1\]/,
    )
    const partitions = [{ topic: 'moved', partition: 0, replicas: [1] }]
    const plan = await toolFile(run, 'reassign.json', { version: 1, partitions })
    const executed = await tool(run, 'kafka-reassign-partitions', `--reassignment-json-file ${plan} --execute`)
    expectText(executed, /Successfully started partition reassignment for moved-0/)
    const verified = await tool(run, 'kafka-reassign-partitions', `--reassignment-json-file ${plan} --verify`)
    expectText(verified, /Reassignment of partition moved-0 is completed/)
    await expectTool(run, 'kafka-reassign-partitions', '--list', /No partition reassignments found/)
  },
  'kafka-reassign-partitions refuses unknown brokers': async (run) => {
    await createTopic(run, 'unmoved')
    const partitions = [{ topic: 'unmoved', partition: 0, replicas: [7] }]
    const plan = await toolFile(run, 'reassign-unknown.json', { version: 1, partitions })
    const refused = await tool(run, 'kafka-reassign-partitions', `--reassignment-json-file ${plan} --execute`).then(
      () => 'taken',
      (error: Error) => error.message,
    )
    expectText(refused, /Unknown broker id 7/)
  },
  'kafka-leader-election elects preferred leaders': async (run) => {
    await createTopic(run, 'led')
    const elected = await tool(run, 'kafka-leader-election', '--election-type preferred --topic led --partition 0')
    expectText(elected, /Valid replica already elected for partitions led-0/)
  },
  'kafka-e2e-latency measures': async (run) => {
    await createTopic(run, 'latency')
    expectText(
      await plainTool(run, 'kafka-e2e-latency', `${run.brokers.bootstrapServers} latency 200 all 100`),
      /Avg latency:/,
    )
  },
}
