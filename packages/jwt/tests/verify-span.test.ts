import { tracing } from '@taproom/core/spans'
import { recordSpans } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { createJwtVerifier } from '../src/index.ts'
import { issuer } from './keys.ts'

describe('the span of a verification', () => {
  it('decisions 3.94: has its outcome, a cached token in the span around it, and nothing of the token', async () => {
    await using spans = await recordSpans()
    using verifier = await createJwtVerifier({ publicKey: issuer.publicKeyPem, issuers: [issuer.issuer] })
    const token = await issuer.sign({ user: 'duke' })
    // A token that comes once is not kept.
    for (let count = 0; count < 2; count += 1) await verifier.verify(token)
    await tracing()?.during('test', 'request', {}, async () => void (await verifier.verify(token)))
    const forged = `${token.slice(0, -10)}AAAAAAAAAA`
    await expect(verifier.verify(forged)).rejects.toMatchObject({ reason: 'signature' })

    const seen = spans.ended.map(({ name, status, attributes }) => ({ name, failed: status.code === 2, ...attributes }))
    const accepted = { name: 'jwt verify', failed: false, 'jwt.outcome': 'accepted' }
    expect(seen).toEqual([
      { ...accepted, 'jwt.cached': false },
      { ...accepted, 'jwt.cached': false },
      { ...accepted, name: 'request', 'jwt.cached': true },
      { ...accepted, failed: true, 'jwt.cached': false, 'jwt.outcome': 'signature', 'error.type': expect.any(String) },
    ])
    expect(spans.open()).toEqual([])
    expect(JSON.stringify(seen)).not.toContain('duke')
  })

  it('is there for a known token that is asked about, and says how that ended', async () => {
    await using spans = await recordSpans()
    let isRevoked = false
    using verifier = await createJwtVerifier({
      publicKey: issuer.publicKeyPem,
      issuers: [issuer.issuer],
      isRevoked: () => isRevoked,
    })
    const token = await issuer.sign()
    for (let count = 0; count < 2; count += 1) await verifier.verify(token)
    isRevoked = true
    await tracing()?.during('test', 'request', {}, async () => {
      await expect(verifier.verify(token)).rejects.toMatchObject({ reason: 'revoked' })
    })
    const [, , late, request] = spans.ended.map(({ name, attributes }) => ({ name, ...attributes }))
    expect(late).toMatchObject({ name: 'jwt verify', 'jwt.cached': true, 'jwt.outcome': 'revoked' })
    expect(request).toEqual({ name: 'request' })
  })
})
