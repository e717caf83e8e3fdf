import type { Eventing, GroupView, Overview, TopicView } from '@taproom/console/api'
import { reasonOf } from '@taproom/core/lines'
import type { RunningConsole } from '@taproom/start'
import { askConsole } from './ask-console.ts'

/** Describes a part: texts by what they say, such as `written by`. */
export type PartFacts = Readonly<Record<string, string>>

interface Items<T> {
  readonly items: readonly T[]
}

/** Says what topics, brokers and triggers are, by their parts such as `topic/beer`. Other parts have no facts. */
export async function readPartFacts(
  console: RunningConsole,
  parts: readonly string[],
): Promise<Readonly<Record<string, PartFacts>>> {
  const known: Record<string, PartFacts> = {}
  for (const part of parts) {
    // Verdicts and records are printed without them.
    const facts = await factsOf(console, part).catch((error: unknown) => ({ 'not known': reasonOf(error) }))
    if (facts !== undefined) known[part] = facts
  }
  return known
}

async function factsOf(console: RunningConsole, part: string): Promise<PartFacts | undefined> {
  const [kind, ...rest] = part.split('/')
  const name = rest.join('/')
  if (kind === 'topic') return await topicFacts(console, name, part)
  if (kind === 'broker') return await brokerFacts(console, name)
  return kind === 'trigger' ? await triggerFacts(console, name) : undefined
}

/** Facts of a topic; who writes is known of the node of the picture that stands for it, the topic or its broker. */
async function topicFacts(console: RunningConsole, name: string, node: string): Promise<PartFacts> {
  const [overview, topics, groups] = await Promise.all([
    askConsole<Overview>(console, '/api/overview'),
    ask<TopicView>(console, '/api/kafka/topics', { name }),
    ask<GroupView>(console, '/api/kafka/groups'),
  ])
  const written = overview.edges.filter(({ to, isDeclared }) => to === node && isDeclared !== true)
  const writers = written.map(({ from }) => nameOf(from))
  const topic = topics?.find((each) => each.name === name)
  const readers = groups?.filter(({ offsets }) => offsets.some((each) => each.topic === name))
  return {
    records: topic === undefined ? NOT_KNOWN : recordsText(topic),
    'written by': writers.join(', ') || 'none in the last ten minutes',
    'read by':
      readers === undefined ? NOT_KNOWN : readers.map((each) => groupText(each, name)).join(', ') || 'no group',
  }
}

async function brokerFacts(console: RunningConsole, name: string): Promise<PartFacts> {
  const { brokers, triggers } = await askConsole<Eventing>(console, '/api/eventing')
  const broker = brokers.find((each) => fullName(each) === name)
  const own = triggers.filter((each) => `${each.namespace}/${each.broker}` === name)
  return {
    ...(broker !== undefined && { ready: broker.ready }),
    triggers: own.map(({ name: each, ready }) => `${each} (ready ${ready})`).join(', ') || 'none',
    topic: topicOf(name),
    ...(await topicFacts(console, topicOf(name), `broker/${name}`)),
  }
}

async function triggerFacts(console: RunningConsole, name: string): Promise<PartFacts> {
  const { triggers } = await askConsole<Eventing>(console, '/api/eventing')
  const trigger = triggers.find((each) => fullName(each) === name)
  if (trigger === undefined) return {}
  const broker = `${trigger.namespace}/${trigger.broker}`
  const groups = await ask<GroupView>(console, '/api/kafka/groups')
  const group = groups?.find(({ groupId }) => groupId === `knative-trigger.${name.replace('/', '.')}`)
  return {
    ...{ ready: trigger.ready, broker, filter: JSON.stringify(trigger.filter) ?? 'none', subscriber: trigger.wants },
    ...(trigger.deadLetterSink !== undefined && { 'dead letters to': trigger.deadLetterSink }),
    'reads with': group === undefined ? NOT_KNOWN : groupText(group, topicOf(broker)),
  }
}

const NOT_KNOWN = 'not known: Kafka has no answer'

/** The items of an answer; undefined when Kafka cannot be asked. */
async function ask<T>(
  console: RunningConsole,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly T[] | undefined> {
  return await askConsole<Items<T>>(console, path, query).then(
    ({ items }) => items,
    () => undefined,
  )
}

/** The topic of a broker: `NAMESPACE/NAME`. */
function topicOf(broker: string): string {
  return `knative-broker.${broker.replace('/', '.')}`
}

function recordsText({ records: { count, isExact }, partitions }: TopicView): string {
  return `${isExact ? '' : 'at most '}${count} in ${partitions.length} partition${partitions.length === 1 ? '' : 's'}`
}

function groupText({ groupId, lags, members }: GroupView, topic: string): string {
  const lag = lags.find((each) => each.topic === topic)
  const clients = [...new Set(members.map(({ clientId }) => clientId))].join(' and ')
  const lagText = lag === undefined ? 'commits no offsets' : `lag ${lag.count}${lag.isGrowing ? ', growing' : ''}`
  return `${groupId} (${clients === '' ? '' : `${clients}, `}${lagText})`
}

function nameOf(part: string): string {
  return part.slice(part.indexOf('/') + 1)
}

function fullName({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`
}
