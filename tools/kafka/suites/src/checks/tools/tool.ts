import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runJava } from '../../java.ts'
import type { SuiteRun } from '../../suite.ts'
import { expectText } from '../check-suite.ts'

const TOOLS = 'org.apache.kafka.tools'

/** Main classes of Apache Kafka's command line tools, by the names of their scripts. */
const MAIN = {
  'kafka-acls': `${TOOLS}.AclCommand`,
  'kafka-broker-api-versions': `${TOOLS}.BrokerApiVersionsCommand`,
  'kafka-client-metrics': `${TOOLS}.ClientMetricsCommand`,
  'kafka-cluster': `${TOOLS}.ClusterTool`,
  'kafka-configs': 'kafka.admin.ConfigCommand',
  'kafka-console-consumer': `${TOOLS}.consumer.ConsoleConsumer`,
  'kafka-console-producer': `${TOOLS}.ConsoleProducer`,
  'kafka-consumer-groups': `${TOOLS}.consumer.group.ConsumerGroupCommand`,
  'kafka-consumer-perf-test': `${TOOLS}.ConsumerPerformance`,
  'kafka-delete-records': `${TOOLS}.DeleteRecordsCommand`,
  'kafka-e2e-latency': `${TOOLS}.EndToEndLatency`,
  'kafka-features': `${TOOLS}.FeatureCommand`,
  'kafka-get-offsets': `${TOOLS}.GetOffsetShell`,
  'kafka-groups': `${TOOLS}.GroupsCommand`,
  'kafka-leader-election': `${TOOLS}.LeaderElectionCommand`,
  'kafka-log-dirs': `${TOOLS}.LogDirsCommand`,
  'kafka-metadata-quorum': `${TOOLS}.MetadataQuorumCommand`,
  'kafka-producer-perf-test': `${TOOLS}.ProducerPerformance`,
  'kafka-reassign-partitions': `${TOOLS}.reassign.ReassignPartitionsCommand`,
  'kafka-streams-application-reset': `${TOOLS}.StreamsResetter`,
  'kafka-topics': `${TOOLS}.TopicCommand`,
  'kafka-transactions': `${TOOLS}.TransactionsCommand`,
  'kafka-verifiable-consumer': `${TOOLS}.VerifiableConsumer`,
  'kafka-verifiable-producer': `${TOOLS}.VerifiableProducer`,
  'transactional-message-copier': `${TOOLS}.TransactionalMessageCopier`,
} as const

export type ToolName = keyof typeof MAIN

/** Runs a tool on the broker; `args` are split at spaces. @throws {Error} when it fails */
export function tool(run: SuiteRun, name: ToolName, args: string, input?: string): Promise<string> {
  return plainTool(run, name, `--bootstrap-server ${run.brokers.bootstrapServers} ${args}`, input)
}

/** The same for a tool that gets the address of the broker in another way. */
export function plainTool(run: SuiteRun, name: ToolName, args: string, input?: string): Promise<string> {
  return runJava(run, MAIN[name], args.split(' '), input)
}

/** Runs a tool on the broker and checks what it prints. @throws {Error} when it fails, or prints something else */
export async function expectTool(
  run: SuiteRun,
  name: ToolName,
  args: string,
  ...expected: readonly RegExp[]
): Promise<void> {
  expectText(await tool(run, name, args), ...expected)
}

/** A file for tools that want one. */
export async function toolFile({ folder }: SuiteRun, name: string, content: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

export async function createTopic(run: SuiteRun, name: string, partitions = 1): Promise<void> {
  await tool(run, 'kafka-topics', `--create --topic ${name} --partitions ${partitions}`)
}

/** Produces `count` records, `k1` with `v1` and so on. */
export async function produceTo(run: SuiteRun, topic: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, index) => `k${index + 1}:v${index + 1}\n`)
  await tool(
    run,
    'kafka-console-producer',
    `--topic ${topic} --property parse.key=true --property key.separator=:`,
    lines.join(''),
  )
}
