/** fastify with fast-jwt, which remembers 1000 verified tokens as our verifier does. */
import { createVerifier, TokenError } from 'fast-jwt'
import { fastify } from 'fastify'
import { writeReady } from '../../harness/server-process.ts'

/** The only argument has the key in PEM, and the issuer. */
const { publicKey, issuer } = JSON.parse(process.argv[2] ?? '')
const verify = createVerifier({
  key: publicKey,
  algorithms: ['RS256'],
  allowedIss: issuer,
  requiredClaims: ['exp', 'iat'],
  cache: 1000,
})

const app = fastify()
app.get('/secure/claim', (request, reply) => {
  try {
    const { groups, preferred_username } = verify((request.headers.authorization ?? '').slice('Bearer '.length))
    if (!groups.includes('Subscriber')) return reply.code(403).send('Forbidden')
    return reply.type('text/plain; charset=utf-8').send(preferred_username)
  } catch (error) {
    if (error instanceof TokenError) return reply.code(401).header('www-authenticate', 'Bearer').send()
    throw error
  }
})
writeReady(Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port))
