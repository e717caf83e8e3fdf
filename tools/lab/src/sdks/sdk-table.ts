import type { EventHeaders, Ways } from './event-ways.ts'
import type { SentValue } from './values.ts'

/** A value that an SDK sent, and what came of it. */
export interface Tried {
  readonly sdk: string
  readonly value: SentValue
  readonly ways: Ways
}

const HEAD = ['value', 'SDKs', 'they send', 'from the broker', 'from Knative']
const HEAD_OF_JSON = ['posted as JSON, from the broker', 'posted as JSON, from Knative', 'read by the SDK']

/** A table in Markdown: a line for each value, with the SDKs of which the same is true together. */
export function sdkTable(tried: readonly Tried[]): readonly string[] {
  const head = [...HEAD, ...HEAD_OF_JSON]
  const lines = Map.groupBy(tried, ({ value, ways }) => JSON.stringify([textOf(value), cellsOf(value, ways)]))
  return [head, head.map(() => '---'), ...[...lines.values()].map(lineOf)].map((cells) => `| ${cells.join(' | ')} |`)
}

function lineOf(same: readonly Tried[]): readonly string[] {
  const [first] = same
  return first === undefined
    ? []
    : [textOf(first.value), same.map(({ sdk }) => sdk).join(', '), ...cellsOf(first.value, first.ways)]
}

function cellsOf(value: SentValue, { direct, broker, knative, structured, knativeStructured, read }: Ways) {
  const passedOn = (came: EventHeaders | string | undefined) => {
    if (typeof direct === 'string') return ''
    return came !== undefined && isSame(came, direct) ? 'the same' : shown(value, came)
  }
  const sent = typeof direct === 'string' ? 'cannot be sent' : shown(value, direct)
  const asJson = [shown(value, structured), shown(value, knativeStructured), readOf(value, read.structured)]
  return [sent, passedOn(broker), passedOn(knative), ...asJson]
}

/** Returns true when all that is of the event is the same. */
export function isSame(came: EventHeaders | string, sent: EventHeaders): boolean {
  if (typeof came === 'string') return false
  const names = new Set([...Object.keys(came), ...Object.keys(sent)])
  return [...names].every((name) => came[name] === sent[name])
}

const nameOf = ({ source }: SentValue) => (source === undefined ? 'subject' : 'source')

function textOf(value: SentValue): string {
  return value.data === undefined ? 'no data' : `${nameOf(value)} ${code(value[nameOf(value)])}`
}

/** The header that is of interest, with bytes beyond ASCII by their numbers: what they are depends on who reads them. */
function shown(value: SentValue, came: EventHeaders | string | undefined): string {
  if (came === undefined) return 'not tried'
  if (typeof came === 'string') return `answer ${came}`
  const header = value.data === undefined ? came['content-type'] : came[`ce-${nameOf(value)}`]
  const byte = (character: string) => `\\x${character.charCodeAt(0).toString(16)}`
  return header === undefined ? 'no Content-Type' : code(header.replaceAll(/[^ -~]/g, byte))
}

function readOf(value: SentValue, read: Ways['read']['structured']): string {
  if (value.data === undefined || read === undefined) return ''
  return typeof read === 'string' ? read : code(read[nameOf(value)]?.replaceAll('\r', '\\r').replaceAll('\n', '\\n'))
}

function code(text: string | null | undefined): string {
  return `\`${text ?? ''}\``
}
