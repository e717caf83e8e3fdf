import { type Checks, expectText } from '../check-suite.ts'
import { createTopic, expectTool, tool } from './tool.ts'

export const CONFIG_CHECKS: Checks = {
  'kafka-configs of a topic': async (run) => {
    await createTopic(run, 'configured')
    const topic = '--entity-type topics --entity-name configured'
    await tool(run, 'kafka-configs', `--alter ${topic} --add-config retention.ms=60000,cleanup.policy=[compact,delete]`)
    const described = await tool(run, 'kafka-configs', `--describe ${topic}`)
    expectText(described, /retention.ms=60000 .*synonyms=\{DYNAMIC_TOPIC_CONFIG:retention.ms=60000/)
    expectText(described, /cleanup.policy=compact,delete /)
    await tool(run, 'kafka-configs', `--alter ${topic} --delete-config retention.ms`)
    const all = await tool(run, 'kafka-configs', `--describe --all ${topic}`)
    expectText(all, /retention.ms=604800000 /, /min.insync.replicas=1 /, /unclean.leader.election.enable=false /)
  },
  'kafka-configs of a broker': async (run) => {
    const broker = '--entity-type brokers --entity-name 1'
    await expectTool(run, 'kafka-configs', `--describe --all ${broker}`, /log.retention.hours=168 /, /node.id=1 /)
    await tool(run, 'kafka-configs', `--alter ${broker} --add-config log.cleaner.threads=2`)
    await expectTool(run, 'kafka-configs', `--describe ${broker}`, /log.cleaner.threads=2 /)
  },
  'kafka-configs of all brokers': async (run) => {
    const brokers = '--entity-type brokers --entity-default'
    await tool(run, 'kafka-configs', `--alter ${brokers} --add-config log.retention.ms=86400000`)
    await expectTool(run, 'kafka-configs', `--describe ${brokers}`, /log.retention.ms=86400000 /)
  },
  'kafka-configs of a group': async (run) => {
    const group = '--entity-type groups --entity-name drinkers'
    await tool(run, 'kafka-configs', `--alter ${group} --add-config consumer.session.timeout.ms=50000`)
    const described = await tool(run, 'kafka-configs', `--describe ${group}`)
    expectText(described, /consumer.session.timeout.ms=50000 .*DYNAMIC_GROUP_CONFIG:consumer.session.timeout.ms=50000/)
  },
  'kafka-configs of SCRAM users': async (run) => {
    const user = '--entity-type users --entity-name alice'
    await tool(run, 'kafka-configs', `--alter ${user} --add-config SCRAM-SHA-512=[iterations=8192,password=secret]`)
    await expectTool(run, 'kafka-configs', `--describe ${user}`, /are SCRAM-SHA-512=iterations=8192/)
    await tool(run, 'kafka-configs', `--alter ${user} --delete-config SCRAM-SHA-512`)
  },
  'kafka-configs of quotas': async (run) => {
    const user = '--entity-type users --entity-name bob'
    await tool(run, 'kafka-configs', `--alter ${user} --add-config producer_byte_rate=1048576`)
    await expectTool(run, 'kafka-configs', `--describe ${user}`, /are producer_byte_rate=1048576/)
    await tool(run, 'kafka-configs', `--alter ${user} --delete-config producer_byte_rate`)
  },
  'kafka-client-metrics subscribes': async (run) => {
    await tool(run, 'kafka-client-metrics', '--alter --name watched --metrics org.apache. --interval 1000')
    await expectTool(run, 'kafka-client-metrics', '--list', /^watched$/m)
    await expectTool(run, 'kafka-client-metrics', '--describe --name watched', /interval.ms=1000/)
    await tool(run, 'kafka-client-metrics', '--delete --name watched')
  },
  'kafka-acls adds, lists and removes': async (run) => {
    const acl = '--allow-principal User:alice --operation Read --topic secret --group readers'
    await expectTool(run, 'kafka-acls', `--add ${acl}`, /principal=User:alice, host=\*, operation=READ/)
    await expectTool(run, 'kafka-acls', '--list --topic secret', /resourceType=TOPIC, name=secret, patternType=LITERAL/)
    const prefixed = '--topic sec --resource-pattern-type prefixed'
    const denied = '--deny-principal User:bob --deny-host 127.0.0.1 --operation Write'
    await expectTool(run, 'kafka-acls', `--add ${prefixed} ${denied}`, /operation=WRITE, permissionType=DENY/)
    const producer = '--producer --transactional-id tx --allow-principal User:carol'
    await expectTool(run, 'kafka-acls', `--add ${prefixed} ${producer}`, /operation=CREATE, permissionType=ALLOW/)
    await expectTool(run, 'kafka-acls', '--list --topic secret --resource-pattern-type match', /name=sec, /)
    await tool(run, 'kafka-acls', `--remove --force ${acl}`)
    await expectTool(run, 'kafka-acls', '--list --topic secret', /^\s*$/)
  },
}
