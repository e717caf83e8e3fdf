import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasContainers } from './backend.ts'
import type { TestAuthority } from './certificates.ts'
import { startSecuredContainer } from './secured-container.ts'
import { type SecuredKafka, serverPem } from './secured-kafka-parts.ts'

/**
 * Starts a Kafka broker with TLS and SASL: Apache Kafka in a container, or the embedded broker in memory. `authority` issues its
 * certificate, and is the one whose clients it trusts; `password` is that of `alice`.
 */
export async function startSecuredKafka(authority: TestAuthority, password: string): Promise<SecuredKafka> {
  return (await hasContainers('Kafka'))
    ? startSecuredContainer(authority, password)
    : startEmbedded(authority, password)
}

async function startEmbedded(authority: TestAuthority, password: string): Promise<SecuredKafka> {
  const { startEmbeddedKafka } = await import('@taproom/embedded-kafka')
  const folder = await mkdtemp(join(tmpdir(), 'secured-kafka-'))
  const keyStore = join(folder, 'server.pem')
  await writeFile(keyStore, serverPem(authority))
  const broker = await startEmbeddedKafka({
    listeners: 'SECURE://localhost:0,MUTUAL://localhost:0',
    advertisedListeners: 'SECURE://localhost:0,MUTUAL://localhost:0',
    listenerSecurityProtocolMap: 'SECURE:SASL_SSL,MUTUAL:SSL',
    properties: {
      'ssl.keystore.type': 'PEM',
      'ssl.keystore.location': keyStore,
      'ssl.truststore.type': 'PEM',
      'ssl.truststore.certificates': authority.certificate,
      'listener.name.mutual.ssl.client.auth': 'required',
      'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
      'connections.max.reauth.ms': '13000',
      'listener.name.secure.plain.sasl.jaas.config': `PlainLoginModule required user_alice="${password}";`,
      'listener.name.secure.oauthbearer.sasl.server.callback.handler.class':
        'OAuthBearerUnsecuredValidatorCallbackHandler',
    },
    addScram: `SCRAM-SHA-256=[name=alice,password=${password}],SCRAM-SHA-512=[name=alice,password=${password}]`,
  })
  const [sasl = '', mutual = ''] = broker.listeners.map(({ bootstrapServers }) => bootstrapServers)
  return {
    sasl,
    mutual,
    replaceCertificate: (of) => writeFile(keyStore, serverPem(of)),
    async setPassword(user, next) {
      broker.setScramPassword(user, 'SCRAM-SHA-512', next)
    },
    async [Symbol.asyncDispose]() {
      await broker[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}
