import { parseArgs } from 'node:util'
import { isOfService, variableOf } from './properties/environment-properties.ts'
import type { ImageVariables } from './properties/image-variables.ts'

/** One option of the command, or the variable in its place. */
interface CommandOption {
  /** What it takes, as the help shows it; undefined: nothing, it is a switch. */
  readonly value?: string
  /** The variable that counts where the option is not given. */
  readonly variable?: string
  /** The property of Apache Kafka that it stands for; its variable counts where the option is not given. */
  readonly property?: string
  /** May be given more than once. */
  readonly isList?: boolean
  readonly help: string
}

const OPTIONS = {
  host: { value: 'ADDRESS', variable: 'KAFKA_HOST', help: 'address to listen on (default 127.0.0.1)' },
  port: { value: 'PORT', variable: 'KAFKA_PORT', help: 'port to listen on, 0 is any free one (default 9092)' },
  brokers: { value: 'N', variable: 'KAFKA_BROKERS', help: 'brokers of the cluster, 1 to 9 (default 1)' },
  advertise: {
    value: 'HOST:PORT',
    variable: 'KAFKA_ADVERTISE',
    help: 'what clients are told: behind a published port or tunnel',
  },
  'data-dir': {
    value: 'DIR',
    variable: 'KAFKA_DATA_DIR',
    help: 'folder that keeps everything (default: in memory)',
  },
  'flush-messages': {
    value: 'N',
    property: 'log.flush.interval.messages',
    help: 'flush after so many records, 1: a power cut loses nothing (default: never)',
  },
  'flush-ms': {
    value: 'N',
    property: 'log.flush.interval.ms',
    help: 'flush after so many milliseconds (default: never)',
  },
  topic: {
    value: 'NAME[:PARTITIONS]',
    variable: 'KAFKA_TOPICS',
    isList: true,
    help: 'topic to create unless it is there; may be repeated (in the variable: with commas)',
  },
  partitions: {
    value: 'N',
    property: 'num.partitions',
    help: 'partitions of topics that are created without a number (default 1)',
  },
  'auto-create-topics': {
    value: 'true|false',
    property: 'auto.create.topics.enable',
    help: 'create topics when clients ask for them (default true)',
  },
  'max-message-bytes': {
    value: 'N',
    property: 'message.max.bytes',
    help: 'largest batch of records of topics that do not say (default 1048588)',
  },
  'retention-ms': {
    value: 'N',
    property: 'log.retention.ms',
    help: 'how long topics that do not say keep records, -1: for ever (default: 7 days)',
  },
  rack: {
    value: 'NAME',
    isList: true,
    help: 'racks of the brokers in their order; may be repeated (default: none)',
  },
  sasl: {
    value: 'USER:PASSWORD',
    isList: true,
    help: 'who may come in, by PLAIN or SCRAM; may be repeated (default: everybody)',
  },
  tls: { value: 'FILE', help: 'TLS with this key and its certificates, in PEM (default: none)' },
  'control-port': {
    value: 'PORT',
    variable: 'KAFKA_CONTROL_PORT',
    help: 'port of the control API for tests, 0 is any free one (default: none)',
  },
  'control-host': {
    value: 'ADDRESS',
    variable: 'KAFKA_CONTROL_HOST',
    help: 'address of the control API (default 127.0.0.1)',
  },
  'schema-registry': {
    value: 'PORT',
    variable: 'KAFKA_SCHEMA_REGISTRY_PORT',
    help: "port of a schema registry with Confluent's API, 0 is any free one (default: none)",
  },
  'exit-on-stdin-close': { help: 'end when stdin closes, as it does when the process that started this one is gone' },
  health: { help: 'end with 0 when the broker with the same variables answers, else with 1' },
  help: { help: 'print this' },
  version: { help: 'print the version' },
} satisfies Readonly<Record<string, CommandOption>>

type OptionName = keyof typeof OPTIONS

/** What the command was given. */
export interface CommandLine {
  readonly values: ReadonlyMap<OptionName, readonly string[]>
  /** What is wrong with it. */
  readonly problems: readonly string[]
}

export const NO_COMMAND_LINE: CommandLine = { values: new Map(), problems: [] }

function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name)
}

const parseOptions = Object.fromEntries(
  Object.entries(OPTIONS).map(([name, option]) => [name, { type: 'value' in option ? 'string' : 'boolean' } as const]),
)

/** Reads the arguments of the command; values are not looked at yet. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const values = new Map<OptionName, string[]>()
  const problems: string[] = []
  const { tokens } = parseArgs({ args: [...args], options: parseOptions, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind === 'positional') problems.push(`there are no arguments but options; got "${token.value}"`)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    if (!isOptionName(name)) {
      problems.push(`${rawName} is no option; expected one of ${optionNames.join(', ')}`)
      continue
    }
    const option: CommandOption = OPTIONS[name]
    const given = values.get(name) ?? []
    values.set(name, given)
    if (option.value === undefined) {
      if (value !== undefined) problems.push(`${rawName} takes no value; got "${value}"`)
    } else if (!value || (value.startsWith('--') && !inlineValue)) {
      problems.push(`${rawName} must have a value, ${option.value}; got ${value ? `"${value}"` : 'nothing'}`)
    } else {
      if (given.length > 0 && !option.isList) problems.push(`${rawName} must be given once; got "${value}" as well`)
      given.push(value)
    }
  }
  return { values, problems }
}

const optionNames = Object.keys(OPTIONS).map((name) => `--${name}`)

/** A setting as it was given: by an option, else by the variable that stands for it, or that this one replaces. */
export function settingFrom({ values }: CommandLine, { env, givenAs }: ImageVariables) {
  const optionOf = new Map(
    Object.entries(OPTIONS).flatMap(([name, option]) =>
      'variable' in option ? [[option.variable as string, name as OptionName] as const] : [],
    ),
  )
  return (variable: string): { readonly name: string; readonly value: string | undefined } => {
    const option = optionOf.get(variable)
    const value = option && values.get(option)?.join(',')
    if (value) return { name: `--${option}`, value }
    const isGiven = !isOfService(variable, env[variable])
    return { name: givenAs(variable), value: (isGiven && env[variable]) || undefined }
  }
}

/** The properties that options were given for. */
export function propertiesFrom({ values }: CommandLine) {
  const given = Object.entries(OPTIONS).flatMap(([name, option]: [string, CommandOption]) => {
    const value = isOptionName(name) ? values.get(name)?.[0] : undefined
    return option.property !== undefined && value !== undefined
      ? [{ name: `--${name}`, property: option.property, value }]
      : []
  })
  return {
    values: Object.fromEntries(given.map(({ property, value }) => [property, value])),
    nameOf: (property: string) => given.find((each) => each.property === property)?.name,
  }
}

function variableNote({ variable, property }: CommandOption): string {
  const name = variable ?? (property && variableOf(property))
  return name === undefined ? '' : ` [${name}]`
}

/** What `--help` prints. */
export function helpText(): string {
  const rows = Object.entries(OPTIONS).map(([name, option]: [string, CommandOption]) => ({
    left: `--${name}${option.value ? ` ${option.value}` : ''}`,
    right: `${option.help}${variableNote(option)}`,
  }))
  const width = Math.max(...rows.map(({ left }) => left.length)) + 2
  return `usage: embedded-kafka [option…]

A Kafka broker for development and tests. When it is ready it prints one line of JSON with its port.

${rows.map(({ left, right }) => `  ${left.padEnd(width)}${right}`).join('\n')}

Variables in brackets count where the option is not given. Every property of Apache Kafka's broker has a variable, as in its image:
KAFKA_LOG_RETENTION_MS is log.retention.ms. Several listeners: KAFKA_LISTENERS, KAFKA_ADVERTISED_LISTENERS,
KAFKA_LISTENER_SECURITY_PROTOCOL_MAP
`
}
