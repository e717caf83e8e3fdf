import { createHash, timingSafeEqual } from 'node:crypto'
import { type Mechanism, NOTHING, SaslRefusal } from './exchange.ts'

const told = (message: string) => new SaslRefusal(message, { isTold: true })

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

/** SASL PLAIN (RFC 4616) with these users and passwords; refusals in Apache Kafka's words. */
export function plainMechanism(passwords: ReadonlyMap<string, string>): Mechanism {
  return {
    name: 'PLAIN',
    start: () => ({
      evaluate(message) {
        const parts = message.toString('utf8').split('\0')
        const [authorizationId = '', user = '', password = ''] = parts
        if (parts.length !== 3) {
          throw told(`Invalid SASL/PLAIN response: expected 3 tokens, got ${Math.min(parts.length, 4)}`)
        }
        if (user === '') throw told('Authentication failed: username not specified')
        if (password === '') throw told('Authentication failed: password not specified')
        const expected = passwords.get(user)
        if (expected === undefined || !isSame(password, expected)) {
          throw told('Authentication failed: Invalid username or password')
        }
        if (authorizationId !== '' && authorizationId !== user) {
          throw told('Authentication failed: Client requested an authorization id that is different from username')
        }
        return { answer: NOTHING, identity: { name: user } }
      },
    }),
  }
}
