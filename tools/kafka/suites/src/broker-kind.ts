/** The brokers that a suite needs, in Apache Kafka's words, which both kinds understand. */
export interface BrokerNeeds {
  /** How many, their node ids from 1 on; default 1. */
  readonly brokers?: number
  /** True: each has a rack, named as its id. Default: false. */
  readonly hasRacks?: boolean
  /** Listeners of the first broker; the others have the ports after it. Default: one in PLAINTEXT, at the first port of the run. */
  readonly listeners?: string
  /** Where it differs from `listeners`. */
  readonly advertisedListeners?: string
  /** TLS, SASL and authorizer. */
  readonly security?: Readonly<Record<string, string>>
  /** Users of SCRAM, each `SCRAM-SHA-256=[name=alice,password=secret]`. */
  readonly scramUsers?: readonly string[]
  /** Default true. */
  readonly autoCreateTopics?: boolean
  /** Default 1. */
  readonly defaultPartitions?: number
}

/** The same, as the kinds of brokers get it. */
export interface ListeningNeeds extends BrokerNeeds {
  readonly listeners: string
}

/** Brokers that run, without topics. */
export interface RunningBrokers extends AsyncDisposable {
  /** By their first listener. */
  readonly bootstrapServers: string
  /** Ends one of them in order, by its node id. */
  stop(nodeId: number): Promise<void>
  /** Brings it back, with its records. */
  start(nodeId: number): Promise<void>
}

export interface BrokerKind {
  readonly name: string
  /** @throws {LeftOutError} */
  start(needs: ListeningNeeds): Promise<RunningBrokers>
}

/** Suites let sessions end sooner than the default of Apache Kafka allows. */
export const MIN_SESSION = { 'group.min.session.timeout.ms': '1000' } as const

/** The settings of a broker with ACLs; clients that do not authenticate may do everything. */
export const ACLS = {
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  'super.users': 'User:ANONYMOUS',
} as const

/** Where there is no ACL, everybody may do everything. */
export const LENIENT_ACLS = { ...ACLS, 'allow.everyone.if.no.acl.found': 'true' } as const

const PLAIN_LOGIN = 'org.apache.kafka.common.security.plain.PlainLoginModule'

/** The setting of a listener whose clients authenticate by SASL PLAIN. */
export function plainUsers(
  listener: string,
  users: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const options = Object.entries(users).map(([name, password]) => ` user_${name}="${password}"`)
  return { [`listener.name.${listener}.plain.sasl.jaas.config`]: `${PLAIN_LOGIN} required${options.join('')};` }
}
