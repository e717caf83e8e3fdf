import { expect, it } from 'vitest'
import { createVerification } from '../../tests/verification.ts'
import { createJwtVerifier } from './verifier.ts'
import type { JwtVerifierOptions } from './verifier-options.ts'

const { issuer } = await createVerification()

async function warningsOf(options: Partial<JwtVerifierOptions>, isProduction = true): Promise<string[]> {
  const lines: string[] = []
  const log = { info: () => {}, warn: (_: object, message: string) => lines.push(message) }
  const fetch = (() => new Promise(() => {})) as typeof globalThis.fetch
  const all = { issuers: [issuer.issuer], audiences: ['a'], log, fetch, isProduction, ...options }
  using _verifier = await createJwtVerifier(all)
  return lines
}
const key = { publicKey: issuer.publicKeyPem }
const secret = { clientId: 'c', clientSecret: 'hidden' }

it.each<[Partial<JwtVerifierOptions>, RegExp]>([
  [{ ...key, audiences: [] }, /^no audience is set for the issuer "https:\/\/issuer\.taproom\.example"/],
  [{ publicKeyLocation: 'http://127.0.0.1:9/jwks?hidden' }, /^the keys of the issuer .* come over http:/],
  [{ issuers: ['http://127.0.0.1:9'], discovery: true }, /^the keys of the issuer "http:\/\/127\.0\.0\.1:9" come over/],
  [{ issuers: [{ issuer: 'x', publicKeyLocation: 'HTTP://127.0.0.1:9/' }] }, /^the keys of the issuer "x" come over/],
  [{ issuers: [{ ...key, issuer: 'x' }], audiences: [] }, /^no audience is set for the issuer "x"/],
  [{ ...key, introspection: { ...secret, url: 'http://127.0.0.1:9/hidden' } }, /^introspection goes over http:/],
])('decisions 3.39: in production the start warns of %j', async (options, warning) => {
  const warnings = await warningsOf(options)
  expect(warnings).toEqual([expect.stringMatching(warning)])
  expect(warnings.join()).not.toContain('hidden')
  expect(await warningsOf(options, false)).toEqual([])
})

it('a start with nothing to warn of says nothing', async () => {
  expect(await warningsOf({ ...key, introspection: { ...secret, url: 'https://id.example' } })).toEqual([])
  expect(await warningsOf({ publicKeyLocation: 'https://127.0.0.1:9/jwks' })).toEqual([])
})
