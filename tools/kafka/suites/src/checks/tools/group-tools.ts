import type { SuiteRun } from '../../suite.ts'
import { type Checks, expectText } from '../check-suite.ts'
import { createTopic, expectTool, produceTo, tool } from './tool.ts'

/** A topic with 10 records that a group has read. */
async function readBy(run: SuiteRun, group: string, topic: string): Promise<void> {
  await createTopic(run, topic)
  await produceTo(run, topic, 10)
  const args = `--topic ${topic} --group ${group} --from-beginning --max-messages 10 --timeout-ms 30000`
  await expectTool(run, 'kafka-console-consumer', args, /total of 10 messages/)
}

export const GROUP_CHECKS: Checks = {
  'kafka-consumer-groups describes and lists': async (run) => {
    await readBy(run, 'described', 'described-topic')
    const group = '--describe --group described'
    await expectTool(run, 'kafka-consumer-groups', group, /described-topic +0 +10 +10 +0 /)
    await expectTool(run, 'kafka-consumer-groups', `${group} --state`, /described .*\(1\) .* Empty +0/)
    await tool(run, 'kafka-consumer-groups', `${group} --members --verbose`)
    await expectTool(run, 'kafka-consumer-groups', '--list --state --type', /described +Classic +Empty/)
  },
  'kafka-console-consumer reads committed offsets and groups': async (run) => {
    await readBy(run, 'logged', 'logged-topic')
    const read = async (formatter: string) => {
      const args = '--topic __consumer_offsets --from-beginning --timeout-ms 10000 --formatter'
      return await tool(run, 'kafka-console-consumer', `${args} org.apache.kafka.tools.consumer.${formatter}`)
    }
    expectText(
      await read('OffsetsMessageFormatter'),
      /{"group":"logged","topic":"logged-topic","partition":0}},"value":{"version":4,"data":{"offset":10,"leaderEpoch":0,"metadata":"",/,
    )
    expectText(
      await read('GroupMetadataMessageFormatter'),
      /{"group":"logged"}},"value":{"version":3,"data":{"protocolType":"consumer","generation":1,"protocol":"range","leader":"console/,
      /{"group":"logged"}},"value":{"version":3,"data":{"protocolType":"consumer","generation":2,"protocol":null,"leader":null,/,
    )
  },
  'kafka-consumer-groups resets offsets': async (run) => {
    await readBy(run, 'reset', 'reset-topic')
    const steps = [
      ['--to-offset 3', 3],
      ['--shift-by 2', 5],
      ['--to-earliest', 0],
      ['--to-latest', 10],
      ['--to-datetime 2020-01-01T00:00:00.000', 0],
      ['--to-datetime 2200-01-01T00:00:00.000', 10],
      ['--by-duration P1D', 0],
    ] as const
    for (const [to, offset] of steps) {
      const args = `--reset-offsets --group reset --topic reset-topic ${to} --execute`
      await expectTool(run, 'kafka-consumer-groups', args, new RegExp(`reset-topic +0 +${offset} `))
    }
  },
  'kafka-consumer-groups deletes offsets and groups': async (run) => {
    await readBy(run, 'deleted', 'deleted-topic')
    const offsets = await tool(run, 'kafka-consumer-groups', '--delete-offsets --group deleted --topic deleted-topic')
    expectText(offsets, /deleted-topic +0 +Successful/)
    await readBy(run, 'deleted-too', 'deleted-topic-too')
    const deleted = await tool(run, 'kafka-consumer-groups', '--delete --group deleted-too')
    expectText(deleted, /Deletion of requested consumer groups \('deleted-too'\) was successful/)
  },
  'kafka-consumer-groups does not know a group': async (run) => {
    const described = await tool(run, 'kafka-consumer-groups', '--describe --group missing').catch(
      (error: Error) => error.message,
    )
    expectText(described, /GroupIdNotFoundException|does not exist/)
  },
  'kafka-streams-application-reset starts from the beginning': async (run) => {
    await readBy(run, 'application', 'application-topic')
    const args = '--application-id application --input-topics application-topic --to-earliest'
    await expectTool(run, 'kafka-streams-application-reset', args, /Topic: application-topic Partition: 0 Offset: 0/)
  },
}
