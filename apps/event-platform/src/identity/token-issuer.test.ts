import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { openSigningKey, type SigningKey } from './signing-key.ts'
import { TokenIssuer } from './token-issuer.ts'

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

describe('TokenIssuer', () => {
  let key: () => Promise<SigningKey>
  let seconds = 1_700_000_000
  const open = (issuer?: string) => new TokenIssuer({ issuer, key, now: () => seconds * 1000 + 999 })
  beforeAll(async () => {
    key = await openSigningKey(undefined)
  })

  it('decisions 3.47: uses a token again until two of its ten minutes are left', async () => {
    const tokens = open('http://issuer.example')
    const first = await tokens.token('me', 'you')
    expect(claimsOf(first)).toMatchObject({
      iss: 'http://issuer.example',
      sub: 'me',
      aud: ['you'],
      iat: seconds,
      exp: seconds + 600,
    })
    seconds += 479
    expect(await tokens.token('me', 'you')).toBe(first)
    seconds += 1
    const second = await tokens.token('me', 'you')
    expect(claimsOf(second)).toMatchObject({ iat: seconds, exp: seconds + 600 })
    expect(await tokens.token('me', 'you')).toBe(second)
  })

  it('decisions 3.47: signs one for each subject and audience, once, also when many are asked for at the same time', async () => {
    const tokens = open('http://issuer.example')
    const pairs = [
      ['me', 'you'],
      ['me', 'them'],
      ['us', 'you'],
      ['me', 'you'],
    ] as const
    const made = await Promise.all(pairs.map(([subject, audience]) => tokens.token(subject, audience)))
    expect(made[3]).toBe(made[0])
    expect(new Set(made.map((token) => claimsOf(token).jti)).size).toBe(3)
  })

  it('keeps at most 2000', async () => {
    // Two thousand signatures of a small key.
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 512 })
    const { jwk } = await key()
    const tokens = new TokenIssuer({ issuer: 'http://issuer.example', key: async () => ({ privateKey, jwk }) })
    const first = await tokens.token('me', 'first')
    for (let index = 0; index < 1999; index += 1) await tokens.token('me', `audience-${index}`)
    expect(await tokens.token('me', 'first')).toBe(first)
    await tokens.token('me', 'last')
    expect(await tokens.token('me', 'first')).not.toBe(first)
  })

  it('has no token before it knows its address, unless it has a name', async () => {
    const tokens = open()
    await expect(tokens.token('me', 'you')).rejects.toThrow('no issuer')
    tokens.listensAt('http://127.0.0.1:1')
    expect(claimsOf(await tokens.token('me', 'you')).iss).toBe('http://127.0.0.1:1')
    const named = open('http://issuer.example')
    named.listensAt('http://127.0.0.1:1')
    expect(named.metadata()).toMatchObject({ jwks_uri: 'http://issuer.example/openid/v1/jwks' })
  })
})
