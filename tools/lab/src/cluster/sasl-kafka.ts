import { kubectl } from '../harness/kubectl.ts'

export interface SaslKafka {
  readonly protocol: 'SASL_PLAINTEXT' | 'SASL_SSL'
  /** Further properties of the broker, by the names of its variables. */
  readonly variables?: Readonly<Record<string, string>>
  /** Sources of volumes, by where they are mounted. */
  readonly volumes?: Readonly<Record<string, object>>
}

/** Files of an overlay whose Kafka asks clients for SCRAM: the patch `sasl-kafka.yaml`, and the login that its ConfigMap `kafka-login` has. */
export function saslKafkaFiles({ protocol, variables = {}, volumes = {} }: SaslKafka) {
  const env = {
    KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: `CONTROLLER:PLAINTEXT,BROKER:PLAINTEXT,PLAINTEXT:${protocol}`,
    KAFKA_SASL_ENABLED_MECHANISMS: 'SCRAM-SHA-512',
    JAVA_TOOL_OPTIONS: '-Djava.security.auth.login.config=/login/login.conf',
    ...variables,
  }
  const mounted = Object.entries({ '/login': { configMap: { name: 'kafka-login' } }, ...volumes })
  const container = {
    name: 'kafka',
    env: Object.entries(env).map(([name, value]) => ({ name, value })),
    volumeMounts: mounted.map(([mountPath]) => ({ mountPath, name: mountPath.slice(1) })),
  }
  const pod = {
    containers: [container],
    volumes: mounted.map(([path, source]) => ({ name: path.slice(1), ...source })),
  }
  return {
    'sasl-kafka.yaml': JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'kafka' },
      spec: { template: { spec: pod } },
    }),
    'login.conf': 'KafkaServer { org.apache.kafka.common.security.scram.ScramLoginModule required; };\n',
  }
}

/** The work of an administrator of a namespace's Kafka. */
export interface KafkaAdministration {
  setUser(name: string, password: string): Promise<void>
  deleteUser(name: string): Promise<void>
}

/** By the listener that is Kafka's own; its scripts are not in every image, its classes are. */
const ALTER_USER = [
  ...['java', '-Xmx128m', '-XX:TieredStopAtLevel=1', '-cp', '/opt/kafka/libs/*', 'kafka.admin.ConfigCommand'],
  ...['--bootstrap-server', 'localhost:9094', '--alter', '--entity-type', 'users', '--entity-name'],
]

export function kafkaIn(namespace: string): KafkaAdministration {
  async function alterUser(name: string, ...change: readonly string[]): Promise<void> {
    const inPod = ['-n', namespace, 'exec', 'statefulset/kafka', '--', 'env', '-u', 'JAVA_TOOL_OPTIONS']
    await kubectl([...inPod, ...ALTER_USER, name, ...change])
  }

  return {
    setUser: (name, password) =>
      alterUser(name, '--add-config', `SCRAM-SHA-512=[iterations=4096,password=${password}]`),
    deleteUser: (name) => alterUser(name, '--delete-config', 'SCRAM-SHA-512'),
  }
}
