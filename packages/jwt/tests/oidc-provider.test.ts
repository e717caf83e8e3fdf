import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Provider from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createJwtVerifier, InvalidTokenError, type JwtVerifier } from '../src/index.ts'
import { rsaPair } from './keys.ts'

const JWT_API = 'https://jwt.taproom.example'
const SEALED_API = 'https://sealed.taproom.example'
const OPAQUE_API = 'https://opaque.taproom.example'
const CLIENT = { clientId: 'taproom client', clientSecret: 'a secret: with/signs+and%more' }

function format(resource: string, key: KeyObject) {
  const sign = { alg: 'ES256' } as const
  if (resource === JWT_API) return { accessTokenFormat: 'jwt', jwt: { sign } } as const
  if (resource === OPAQUE_API) return { accessTokenFormat: 'opaque' } as const
  return { accessTokenFormat: 'jwt', jwt: { sign, encrypt: { alg: 'RSA-OAEP-256', enc: 'A256GCM', key } } } as const
}

/**
 * A provider that nobody here wrote, with a client that gets tokens for three APIs: JWTs for one, opaque ones for another, encrypted ones
 * for the third.
 */
async function startProvider(decryption: { publicKey: KeyObject }): Promise<{ issuer: string; server: Server }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        grant_types: ['client_credentials'],
        id_token_signed_response_alg: 'ES256',
        redirect_uris: [],
        response_types: [],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'es', use: 'sig', alg: 'ES256' } as never] },
    ttl: { ClientCredentials: 600 },
    cookies: { keys: ['of no use here'] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource) => ({
          scope: 'beers:read beers:write',
          audience: resource,
          accessTokenTTL: 600,
          ...format(resource, decryption.publicKey),
        }),
      },
    },
  })
  provider.proxy = false
  server.on('request', provider.callback())
  return { issuer, server }
}

describe('tokens of oidc-provider', () => {
  let issuer: string
  let server: Server
  let folder: string
  const decryption = rsaPair
  beforeAll(async () => {
    ;({ issuer, server } = await startProvider(decryption))
    folder = await mkdtemp(join(tmpdir(), 'jwt-'))
    await writeFile(join(folder, 'key.pem'), decryption.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await rm(folder, { recursive: true })
  })

  const encoded = (text: string) => new URLSearchParams({ text }).toString().slice(5)
  const authorization = `Basic ${Buffer.from(`${encoded(CLIENT.clientId)}:${encoded(CLIENT.clientSecret)}`).toString('base64')}`
  const post = (path: string, form: Record<string, string>) =>
    fetch(issuer + path, { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) })

  async function token(resource: string): Promise<string> {
    const answer = await post('/token', { grant_type: 'client_credentials', resource, scope: 'beers:read' })
    expect(answer.status).toBe(200)
    const { access_token } = (await answer.json()) as { access_token: string }
    return access_token
  }
  const settings = () => ({ issuers: [issuer], discovery: true, algorithm: 'ES256' as const })
  const introspection = (tokens: 'opaque' | 'all') => ({ url: `${issuer}/token/introspection`, ...CLIENT, tokens })

  async function refusal(verifier: JwtVerifier, refused: string): Promise<string> {
    const error: unknown = await Promise.resolve(verifier.verify(refused)).catch((thrown: unknown) => thrown)
    return error instanceof InvalidTokenError ? error.reason : `not refused: ${String(error)}`
  }

  it('decisions 3.33, 3.34: a JWT is accepted by discovery alone, as an access token after RFC 9068', async () => {
    using verifier = await createJwtVerifier({ ...settings(), tokenProfile: 'rfc9068', audiences: [JWT_API] })
    const { name, claims } = await verifier.verify(await token(JWT_API))
    expect(name).toBe(CLIENT.clientId)
    expect(claims).toMatchObject({ iss: issuer, aud: JWT_API, scope: 'beers:read', client_id: CLIENT.clientId })
    expect(verifier.check.check()).toMatchObject({ status: 'UP', data: { keys: 1 } })
  })

  it('one for another API is refused, and so is an opaque one where nobody is asked', async () => {
    using verifier = await createJwtVerifier({ ...settings(), audiences: ['https://other.example'] })
    expect(await refusal(verifier, await token(JWT_API))).toBe('audience')
    expect(await refusal(verifier, await token(OPAQUE_API))).toBe('malformed')
  })

  it('decisions 3.36: an opaque one is accepted by introspection until it is revoked', async () => {
    const asking = { ...introspection('opaque'), cacheSeconds: 0 }
    using verifier = await createJwtVerifier({ ...settings(), audiences: [OPAQUE_API], introspection: asking })
    const opaque = await token(OPAQUE_API)
    const { name, claims } = await verifier.verify(opaque)
    expect(name).toBe(CLIENT.clientId)
    expect(claims).toMatchObject({ iss: issuer, scope: 'beers:read', aud: OPAQUE_API, active: true })
    expect((await post('/token/revocation', { token: opaque })).status).toBe(200)
    expect(await refusal(verifier, opaque)).toBe('inactive')
    expect(await refusal(verifier, 'invented')).toBe('inactive')
    expect(await Promise.resolve(verifier.verify(await token(JWT_API))).catch((error: unknown) => error)).toMatchObject(
      {
        reason: 'audience',
      },
    )
  })

  it('decisions 3.37: an encrypted one is accepted by who has the key, and by nobody else', async () => {
    const decryptKeyLocation = join(folder, 'key.pem')
    using verifier = await createJwtVerifier({ ...settings(), audiences: [SEALED_API], decryptKeyLocation })
    using without = await createJwtVerifier({ ...settings(), audiences: [SEALED_API] })
    const sealed = await token(SEALED_API)
    expect(sealed.split('.')).toHaveLength(5)
    expect(await verifier.verify(sealed)).toMatchObject({ name: CLIENT.clientId, claims: { aud: SEALED_API } })
    expect(await refusal(without, sealed)).toBe('malformed')
    expect(await refusal(verifier, await token(JWT_API))).toBe('encryption')
  })

  it('a wrong secret is no refusal but an answer that did not come', async () => {
    const asking = { ...introspection('opaque'), clientSecret: 'wrong' }
    using verifier = await createJwtVerifier({ ...settings(), introspection: asking })
    await expect(verifier.verify(await token(OPAQUE_API))).rejects.toMatchObject({ code: 'JWT_CHECK_FAILED' })
  })
})
