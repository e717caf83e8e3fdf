import type { Broker } from '../../broker/broker.ts'
import { ErrorCode } from '../../protocol/error-code.ts'
import { actionOutcome, ProtocolError } from '../../protocol/protocol-error.ts'
import { credentialOf, MAX_ITERATIONS, MIN_ITERATIONS, type ScramName } from '../../security/sasl/scram.ts'
import type { CredentialChange } from '../../security/scram-credentials.ts'
import { array, bytes, int8, int16, int32, nullableString, string } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'
import { SCRAM_NUMBERS } from './scram-numbers.ts'

const MAX_SALT_BYTES = 1024
const MAX_NAME_CHARACTERS = 1000

interface Upsertion {
  readonly name: string
  readonly mechanism: number
  readonly iterations: number
  readonly salt: Buffer
  readonly saltedPassword: Buffer
}

function mechanismOf(name: string, number: number): ScramName {
  if (name === '') throw unacceptable('Username must not be empty')
  if (name.length > MAX_NAME_CHARACTERS) throw unacceptable('Username is too long')
  const found = SCRAM_NUMBERS.find(([each]) => each === number)
  if (!found) throw new ProtocolError(ErrorCode.UNSUPPORTED_SASL_MECHANISM, 'Unknown SCRAM mechanism')
  return found[1]
}

function unacceptable(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.UNACCEPTABLE_CREDENTIAL, message)
}

function deletionOf(broker: Broker, name: string, number: number): CredentialChange {
  const mechanism = mechanismOf(name, number)
  if (broker.scramCredentials.find(mechanism, name)) return { user: name, mechanism, credential: null }
  throw new ProtocolError(ErrorCode.RESOURCE_NOT_FOUND, 'Attempt to delete a user credential that does not exist')
}

function upsertionOf({ name, mechanism: number, ...salted }: Upsertion): CredentialChange {
  const mechanism = mechanismOf(name, number)
  if (salted.iterations < MIN_ITERATIONS) throw unacceptable('Too few iterations')
  if (salted.iterations > MAX_ITERATIONS) throw unacceptable('Too many iterations')
  if (salted.salt.length > MAX_SALT_BYTES) throw unacceptable('The salt is too long')
  return { user: name, mechanism, credential: credentialOf(mechanism, salted) }
}

/** Sets and removes what SCRAM knows of users; a user may come in a request once, as in Apache Kafka. */
export const alterUserScramCredentials = defineApi('AlterUserScramCredentials', {
  request: struct({
    deletions: array(struct({ name: string, mechanism: int8 })),
    upsertions: array(struct({ name: string, mechanism: int8, iterations: int32, salt: bytes, saltedPassword: bytes })),
  }),
  response: struct({
    throttleTimeMs: constant(int32, 0),
    results: array(struct({ user: string, errorCode: int16, errorMessage: nullableString })),
  }),
  handle({ deletions, upsertions }, { broker }) {
    const asked = [
      ...deletions.map(({ name, mechanism }) => ({ name, change: () => deletionOf(broker, name, mechanism) })),
      ...upsertions.map((upsertion) => ({ name: upsertion.name, change: () => upsertionOf(upsertion) })),
    ]
    const times = new Map<string, number>()
    for (const { name } of asked) times.set(name, (times.get(name) ?? 0) + 1)
    const done = new Set<string>()
    const results = asked.flatMap(({ name: user, change }) => {
      if (done.has(user)) return []
      done.add(user)
      const outcome = actionOutcome(() => {
        if (times.get(user) !== 1) {
          const message = 'A user credential cannot be altered twice in the same request'
          throw new ProtocolError(ErrorCode.DUPLICATE_RESOURCE, message)
        }
        broker.scramCredentials.change(change())
      })
      return { user, ...outcome }
    })
    return { results }
  },
})
