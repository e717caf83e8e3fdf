import type { AuthenticationProviderArgs, KafkaConfig, Mechanism } from '@taproom/kafkajs'
import type { KafkaSasl } from './kafka-security.ts'
import { createTokenSource, type TokenSource } from './token-endpoint.ts'

/** Kafka does not accept the password or token. */
export class SaslRefusal extends Error {
  override readonly name = 'SaslRefusal'
}

/** What kafkajs needs; a new object for each client, because kafkajs writes to it. */
export function createSasl(sasl: KafkaSasl): () => NonNullable<KafkaConfig['sasl']> {
  if (sasl.mechanism === 'OAUTHBEARER') {
    const { token } = sasl
    const source = typeof token === 'function' ? { token, forget: () => undefined } : createTokenSource(token)
    return () => mechanism('OAUTHBEARER', (send) => sendToken(send, source))
  }
  const { username, password } = sasl
  if (sasl.mechanism === 'PLAIN') {
    return () => mechanism('PLAIN', async (send) => void (await exchange(send, `\0${username}\0${password}`)))
  }
  const name = sasl.mechanism === 'SCRAM-SHA-256' ? 'scram-sha-256' : 'scram-sha-512'
  return () => ({ mechanism: name, username, password }) as NonNullable<KafkaConfig['sasl']>
}

type Send = AuthenticationProviderArgs['saslAuthenticate']

/**
 * In place of those of kafkajs where the broker sees the secret: in their errors is what it says, which may be the secret. And with
 * OAUTHBEARER kafkajs takes a refused token for an accepted one.
 */
function mechanism(name: string, authenticate: (send: Send) => Promise<void>): Mechanism {
  return {
    mechanism: name,
    authenticationProvider: ({ saslAuthenticate }) => ({ authenticate: () => authenticate(saslAuthenticate) }),
  }
}

/** A token is forgotten only when Kafka refused it: for a connection that breaks it is as good as before. */
async function sendToken(send: Send, source: TokenSource): Promise<void> {
  const token = await source.token()
  try {
    const refusal = await exchange(send, `n,,\x01auth=Bearer ${token}\x01\x01`)
    if (refusal.length === 0) return
    source.forget()
    // An answer is a refusal, and wants a last message, which Kafka answers with the error (RFC 7628, 3.2.3).
    await exchange(send, '\x01')
    throw new SaslRefusal('Kafka refused the token')
  } catch (error) {
    if (error instanceof SaslRefusal) source.forget()
    throw error
  }
}

const LENGTH_BYTES = 4

/**
 * Sends one message of the mechanism and gives the bytes of the answer.
 * @throws {SaslRefusal} when Kafka refuses it
 */
async function exchange(send: Send, text: string): Promise<Buffer> {
  const message = Buffer.alloc(LENGTH_BYTES + Buffer.byteLength(text))
  message.writeInt32BE(message.length - LENGTH_BYTES)
  message.write(text, LENGTH_BYTES)
  try {
    const answer = await send({
      request: { encode: () => message },
      // A promise, although its type asks for none: to a broker without SaslAuthenticate kafkajs calls `then` on what it gives.
      response: { decode: async (bytes) => bytes.subarray(LENGTH_BYTES), parse: (bytes) => bytes },
    })
    return answer ?? Buffer.alloc(0)
  } catch (error) {
    const isRefused = error instanceof Error && 'type' in error && error.type === 'SASL_AUTHENTICATION_FAILED'
    throw isRefused ? new SaslRefusal('Kafka refused the authentication') : error
  }
}
