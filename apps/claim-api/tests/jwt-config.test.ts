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
