import { jarEntries } from './jar-entries.ts'

/** A field of a message, as Kafka's definitions have it. */
export interface DefinedField {
  readonly name: string
  /** A primitive, the name of a struct, or a list (`[]`) of one. */
  readonly type: string
  readonly versions: Range
  readonly nullable: Range
  readonly tagged: Range
  readonly tag: number | undefined
  readonly default: unknown
  /** Of a struct, or of the items of a list of structs. */
  readonly fields: readonly DefinedField[]
}

export interface DefinedMessage {
  readonly apiKey: number
  readonly type: 'request' | 'response'
  readonly name: string
  readonly valid: Range
  readonly flexible: Range
  readonly fields: readonly DefinedField[]
}

/** Versions from the first to the last; empty where the first is higher. */
export interface Range {
  readonly first: number
  readonly last: number
}

interface JsonField {
  readonly name: string
  readonly type: string
  readonly versions?: string
  readonly nullableVersions?: string
  readonly taggedVersions?: string
  readonly tag?: number
  readonly default?: unknown
  readonly fields?: readonly JsonField[]
}

interface JsonMessage {
  readonly apiKey?: number
  readonly type: string
  readonly name: string
  readonly validVersions: string
  readonly flexibleVersions: string
  readonly fields?: readonly JsonField[]
  readonly commonStructs?: readonly JsonField[]
}

const NEVER = { first: 1, last: 0 }

/** `3`, `3-5`, `3+` or `none`. */
function rangeOf(text = 'none'): Range {
  const [, first, rest = ''] = /^(\d+)(\+|-\d+)?$/.exec(text) ?? []
  if (first === undefined) return NEVER
  if (rest === '') return { first: Number(first), last: Number(first) }
  return { first: Number(first), last: rest === '+' ? Number.POSITIVE_INFINITY : Number(rest.slice(1)) }
}

export function has({ first, last }: Range, version: number): boolean {
  return version >= first && version <= last
}

function fieldOf(json: JsonField, structs: ReadonlyMap<string, readonly JsonField[]>): DefinedField {
  const inner = json.fields ?? structs.get(json.type.replace('[]', '')) ?? []
  return {
    name: json.name,
    type: json.type,
    versions: rangeOf(json.versions ?? json.taggedVersions),
    nullable: rangeOf(json.nullableVersions),
    tagged: rangeOf(json.taggedVersions),
    tag: json.tag,
    default: json.default,
    fields: inner.map((field) => fieldOf(field, structs)),
  }
}

/** The messages of the protocol as the jar of Kafka's Java client defines them, by `request 18` and `response 18`. */
export function definedMessages(jar: string): ReadonlyMap<string, DefinedMessage> {
  const messages = new Map<string, DefinedMessage>()
  for (const { text } of jarEntries(jar, /^common\/message\/.*\.json$/)) {
    const json = JSON.parse(text.replace(/^\s*\/\/.*$/gm, '').replace(/\s\/\/ .*$/gm, '')) as JsonMessage
    if (json.type !== 'request' && json.type !== 'response') continue
    const structs = new Map((json.commonStructs ?? []).map(({ name, fields = [] }) => [name, fields]))
    const { apiKey = -1, type, name } = json
    messages.set(`${type} ${apiKey}`, {
      apiKey,
      type,
      name,
      valid: rangeOf(json.validVersions),
      flexible: rangeOf(json.flexibleVersions),
      fields: (json.fields ?? []).map((field) => fieldOf(field, structs)),
    })
  }
  return messages
}
