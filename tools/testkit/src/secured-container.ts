import { freePort } from '@taproom/processes'
import type { TestAuthority } from './certificates.ts'
import { type SecuredKafka, serverPem } from './secured-kafka-parts.ts'
import { startContainer } from './start-container.ts'

const IMAGE = 'apache/kafka:4.1.0'
const FOLDER = '/tmp/secured'

/** Apache Kafka with TLS and SASL, in a container. */
export async function startSecuredContainer(authority: TestAuthority, password: string): Promise<SecuredKafka> {
  const { GenericContainer, Wait } = await import('testcontainers')
  const [sasl, mutual] = [await freePort(), await freePort()]
  const described = new GenericContainer(IMAGE)
    .withExposedPorts({ container: 9092, host: sasl }, { container: 9095, host: mutual })
    .withCopyContentToContainer([
      { target: `${FOLDER}/server.properties`, content: properties(sasl, mutual, password) },
      { target: `${FOLDER}/ca.pem`, content: authority.certificate },
      { target: `${FOLDER}/server.pem`, content: serverPem(authority) },
    ])
    .withEntrypoint(['bash', '-c'])
    .withCommand([startScript(password)])
    .withWaitStrategy(Wait.forListeningPorts())
  const container = await startContainer(described)
  const alter = async (type: string, name: string, config: string) => {
    const command = `${java('kafka.admin.ConfigCommand')} --bootstrap-server 127.0.0.1:9094 --alter`
    const target = `--entity-type ${type} --entity-name ${name} --add-config '${config}'`
    const { exitCode, output } = await container.exec(['bash', '-c', `${command} ${target}`])
    if (exitCode !== 0) throw new Error(output)
  }
  return {
    sasl: `localhost:${sasl}`,
    mutual: `localhost:${mutual}`,
    async replaceCertificate(of) {
      await container.copyContentToContainer([{ target: `${FOLDER}/server.pem`, content: serverPem(of) }])
      await alter('brokers', '1', `listener.name.secure.ssl.keystore.location=${FOLDER}/server.pem`)
    },
    async setPassword(user, next) {
      await alter('users', user, `SCRAM-SHA-512=[password=${next}]`)
    },
    [Symbol.asyncDispose]: async () => void (await container.stop({ timeout: 0 })),
  }
}

function startScript(password: string): string {
  const users = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].map(
    (mechanism) => `--add-scram '${mechanism}=[name=alice,password=${password}]'`,
  )
  const format = `${java('kafka.tools.StorageTool')} format -t 4L6g3nShT-eMCtK--X86sw -c ${FOLDER}/server.properties`
  return `${format} ${users.join(' ')} && exec ${java('kafka.Kafka')} ${FOLDER}/server.properties`
}

/** Kafka's own scripts are not in every image. */
function java(main: string): string {
  return `java -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '/opt/kafka/libs/*' ${main}`
}

function properties(sasl: number, mutual: number, password: string): string {
  const login = 'org.apache.kafka.common.security'
  const scram = `${login}.scram.ScramLoginModule required;`
  return `node.id=1
process.roles=broker,controller
listeners=SECURE://:9092,MUTUAL://:9095,INTERNAL://127.0.0.1:9094,CONTROLLER://127.0.0.1:9093
advertised.listeners=SECURE://localhost:${sasl},MUTUAL://localhost:${mutual},INTERNAL://127.0.0.1:9094,CONTROLLER://127.0.0.1:9093
listener.security.protocol.map=SECURE:SASL_SSL,MUTUAL:SSL,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=INTERNAL
controller.listener.names=CONTROLLER
controller.quorum.voters=1@127.0.0.1:9093
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
log.dirs=/tmp/kafka-logs
ssl.keystore.type=PEM
ssl.keystore.location=${FOLDER}/server.pem
ssl.truststore.type=PEM
ssl.truststore.location=${FOLDER}/ca.pem
listener.name.mutual.ssl.client.auth=required
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER
connections.max.reauth.ms=13000
listener.name.secure.plain.sasl.jaas.config=${login}.plain.PlainLoginModule required user_alice="${password}";
listener.name.secure.scram-sha-256.sasl.jaas.config=${scram}
listener.name.secure.scram-sha-512.sasl.jaas.config=${scram}
listener.name.secure.oauthbearer.sasl.jaas.config=${login}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="kafka";
`
}
