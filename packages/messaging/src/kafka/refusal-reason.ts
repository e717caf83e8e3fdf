import { KafkaJSScramIterationsError } from '@taproom/kafkajs'
import type { KafkaSasl } from '../security/kafka-security.ts'
import { SaslRefusal } from '../security/sasl-mechanism.ts'
import { TokenError } from '../security/token-endpoint.ts'
import { brokerAnswer, causesOf, saslAnswer } from './broker-answer.ts'

/** kafkajs calls it a failed authentication with SCRAM, too, when the connection is lost meanwhile. */
const CONNECTION_LOST = /closed|connect|timed out/i

/**
 * Why Kafka did not let this client in, or do what it asked, in a sentence for a person; undefined when the error is about something
 * else. What the broker itself says of a password is not part of it: it may repeat the password.
 */
export function refusalReason(error: unknown, sasl: KafkaSasl | undefined): string | undefined {
  const type = brokerAnswer(error)?.type
  if (type?.endsWith('_AUTHORIZATION_FAILED')) return `Kafka does not allow this${to(sasl)}: ${type}`
  if (sasl === undefined) return undefined
  const answer = saslAnswer(error)
  if (answer === 'UNSUPPORTED_SASL_MECHANISM') return `Kafka does not offer SASL ${sasl.mechanism}`
  if (answer === 'ILLEGAL_SASL_STATE') return 'Kafka does not take SASL at this port'
  if (answer === undefined && !isFailedAuthentication(error)) return ownFailure(error)
  const secret = sasl.mechanism === 'OAUTHBEARER' ? 'the token' : `the password of user ${sasl.username}`
  return `Kafka refused ${secret} (SASL ${sasl.mechanism})`
}

function to(sasl: KafkaSasl | undefined): string {
  return sasl === undefined || sasl.mechanism === 'OAUTHBEARER' ? '' : ` to user ${sasl.username}`
}

function isFailedAuthentication(error: unknown): boolean {
  return causesOf(error).some(
    (cause) =>
      cause instanceof SaslRefusal ||
      (cause.name === 'KafkaJSSASLAuthenticationError' && !CONNECTION_LOST.test(cause.message)),
  )
}

/** Of what this client would not do: take a token endpoint's answer, or a broker's SCRAM as @taproom/kafkajs says it. */
function ownFailure(error: unknown): string | undefined {
  const isOwn = (cause: Error) => cause instanceof TokenError || cause instanceof KafkaJSScramIterationsError
  return causesOf(error).find(isOwn)?.message
}
