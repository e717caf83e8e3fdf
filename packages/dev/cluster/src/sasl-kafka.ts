import { inServer } from './system.ts'

/** What an overlay adds so that its Kafka asks clients for SCRAM, in three parts: its patch, and the files of the patch and of its login. */
export const SASL_KAFKA = `
components: [DEPLOY/components/kafka-credentials]
patches: [{path: sasl-kafka.yaml}]
`
export const SASL_KAFKA_FILES = {
  'sasl-kafka.yaml': JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'kafka' },
    spec: {
      template: {
        spec: {
          containers: [
            {
              name: 'kafka',
              env: [
                {
                  name: 'KAFKA_LISTENER_SECURITY_PROTOCOL_MAP',
                  value: 'CONTROLLER:PLAINTEXT,BROKER:PLAINTEXT,PLAINTEXT:SASL_PLAINTEXT',
                },
                { name: 'KAFKA_SASL_ENABLED_MECHANISMS', value: 'SCRAM-SHA-512' },
                { name: 'JAVA_TOOL_OPTIONS', value: '-Djava.security.auth.login.config=/login/login.conf' },
              ],
              volumeMounts: [{ name: 'login', mountPath: '/login' }],
            },
          ],
          volumes: [{ name: 'login', configMap: { name: 'kafka-login' } }],
        },
      },
    },
  }),
  'login.conf': 'KafkaServer { org.apache.kafka.common.security.scram.ScramLoginModule required; };\n',
}

/** Makes a user of Kafka, or gives it another password. */
export async function setKafkaUser(user: string, password: string): Promise<void> {
  await alterUser(user, '--add-config', `SCRAM-SHA-512=[iterations=4096,password=${password}]`)
}

export async function deleteKafkaUser(user: string): Promise<void> {
  await alterUser(user, '--delete-config', 'SCRAM-SHA-512')
}

/** By the listener that is Kafka's own; its scripts are not in every image, its classes are. */
async function alterUser(user: string, ...change: readonly string[]): Promise<void> {
  const program = [
    'java',
    '-Xmx128m',
    '-XX:TieredStopAtLevel=1',
    '-cp',
    '/opt/kafka/libs/*',
    'kafka.admin.ConfigCommand',
  ]
  const target = ['--bootstrap-server', 'localhost:9094', '--alter', '--entity-type', 'users', '--entity-name', user]
  await inServer('kafka', 'env', '-u', 'JAVA_TOOL_OPTIONS', ...program, ...target, ...change)
}
