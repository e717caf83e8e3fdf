import { createDevIssuer } from '@taproom/jwt/testing'
import type { Env } from '@taproom/service'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'

const { issuer, publicKeyPem } = await createDevIssuer({ issuer: 'https://staff.example' })
const DEFAULT = { MP_JWT_VERIFY_PUBLICKEY: publicKeyPem, MP_JWT_VERIFY_ISSUER: issuer }
const BOTH = { MP_JWT_VERIFY_ISSUER: `${issuer}, https://other.example` }
const INTROSPECTION = {
  JWT_INTROSPECTION_URL: 'https://id.example/introspect',
  JWT_INTROSPECTION_CLIENT_ID: 'claim-api',
  JWT_INTROSPECTION_CLIENT_SECRET: 'hidden',
}

function problemsOf(env: Env): readonly string[] {
  try {
    readConfig({ ...DEFAULT, ...env })
    return []
  } catch (error) {
    return (error as { problems: readonly string[] }).problems
  }
}

describe('decisions 3.36: JWT_INTROSPECTION_ISSUERS', () => {
  const issuers = (env: Env) => readConfig({ ...DEFAULT, ...INTROSPECTION, ...env }).jwt.verifier.introspection?.issuers

  it('is the only issuer, or some of several', () => {
    expect(issuers({})).toEqual([issuer])
    expect(issuers({ ...BOTH, JWT_INTROSPECTION_ISSUERS: 'https://other.example' })).toEqual(['https://other.example'])
  })

  it('must be set when there are several, and none else', () => {
    const [expected] = [`those of ${issuer}, https://other.example whose tokens the endpoint knows`]
    expect(problemsOf({ ...INTROSPECTION, ...BOTH })).toEqual([
      `JWT_INTROSPECTION_ISSUERS: is not set: expected ${expected}`,
    ])
    expect(problemsOf({ ...INTROSPECTION, ...BOTH, JWT_INTROSPECTION_ISSUERS: 'https://x.example' })).toEqual([
      `JWT_INTROSPECTION_ISSUERS: "https://x.example" is no issuer of tokens: expected ${expected}`,
    ])
  })
})

it('decisions 3.37: JWT_INTROSPECTION_TOKENS must be all with a decryption key', () => {
  const env = { ...INTROSPECTION, MP_JWT_DECRYPT_KEY_LOCATION: 'key.pem' }
  expect(problemsOf(env)).toEqual([expect.stringMatching(/^JWT_INTROSPECTION_TOKENS: "opaque" .*: expected all$/)])
  expect(problemsOf({ ...env, JWT_INTROSPECTION_TOKENS: 'all' })).toEqual([])
})

describe('decisions 3.39: does not start with what has no effect', () => {
  it.each<[string, string]>([
    ['MP_JWT_DECRYPT_KEY_ALGORITHM', 'RSA-OAEP-256'],
    ['JWT_INTROSPECTION_CLIENT_ID', 'claim-api'],
    ['JWT_INTROSPECTION_ISSUERS', issuer],
    ['JWT_INTROSPECTION_TOKENS', 'all'],
    ['JWT_INTROSPECTION_TIMEOUT_MS', '100'],
    ['JWT_INTROSPECTION_CACHE_SECONDS', '1'],
  ])('%s alone', (name, value) => {
    const needed = name.startsWith('MP') ? 'MP_JWT_DECRYPT_KEY_LOCATION' : 'JWT_INTROSPECTION_URL'
    const problem = `${name}: ${JSON.stringify(value)} has no effect alone: expected ${needed} with it`
    expect(problemsOf({ [name]: value })).toEqual([problem])
    expect(problemsOf({ [name]: ' ' })).toEqual([])
  })

  it('JWT_INTROSPECTION_CLIENT_SECRET alone, without saying it', () => {
    const problem =
      'JWT_INTROSPECTION_CLIENT_SECRET: the value has no effect alone: expected JWT_INTROSPECTION_URL with it'
    expect(problemsOf({ JWT_INTROSPECTION_CLIENT_SECRET: 'hidden' })).toEqual([problem])
  })

  it.each(['JWT_REQUIRED_SCOPES', 'MP_JWT_VERIFY_AUDIENCES', 'JWT_TOKEN_TYPES', 'JWT_ISSUER_NAMES'])(
    '%s of commas',
    (name) => {
      const problem = `${name}=",": expected a comma separated list of at least one text`
      expect(problemsOf({ [name]: ' , ' })).toEqual([problem])
      expect(problemsOf({ [name]: ' ' })).toEqual([])
    },
  )
})

describe('decisions 3.39: properties of MicroProfile JWT that nothing reads', () => {
  const property = (name: string) =>
    new RegExp(`^${name.replaceAll('.', '\\.')}: is read by nothing here: expected one of .*`)

  it.each(['MP_JWT_VERIFY_AUDIENCE', 'mp.jwt.verify.audience', 'MP_JWT_VERIFY_PARTNER_ISSUER', 'mp_jwt_token_headers'])(
    'refuses %s',
    (name) => {
      expect(problemsOf({ [name]: 'https://partner.example' })).toEqual([expect.stringMatching(property(name))])
      expect(problemsOf({ [name]: ' ' })).toEqual([])
    },
  )

  it('names those that are read, and takes those of a named issuer', () => {
    expect(problemsOf({ MP_JWT_VERIFY_AUDIENCE: 'a' })[0]).toContain(', MP_JWT_VERIFY_AUDIENCES,')
    const partner = { MP_JWT_VERIFY_PARTNER_ISSUER: 'https://partner.example', MP_JWT_VERIFY_PARTNER_DISCOVERY: 'true' }
    expect(problemsOf({ ...partner, JWT_ISSUER_NAMES: 'partner' })).toEqual([])
  })
})

it('decisions 3.39: JWT_ALLOW_HTTP_KEY_LOCATION does not let introspection go over http: in production', () => {
  const env = { ...INTROSPECTION, JWT_INTROSPECTION_URL: 'http://id.example/x?secret' }
  const production = { ...env, NODE_ENV: 'production' }
  const problem =
    'JWT_INTROSPECTION_URL: "http://id.example/x" is not protected on its way: expected https: in production'
  expect(problemsOf(production)).toEqual([problem])
  expect(problemsOf({ ...production, JWT_ALLOW_HTTP_KEY_LOCATION: 'true' })).toEqual([problem])
  expect(problemsOf(env)).toEqual([])
})
