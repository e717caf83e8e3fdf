import { describe, expect, it } from 'vitest'
import { renamed, stranger } from '../../tests/keys.ts'
import { createVerification } from '../../tests/verification.ts'
import type { DevClaims } from '../testing/dev-issuer.ts'

const { issuer, accepted, sign, verifier } = await createVerification()

describe('a verified token', () => {
  it('gives every claim of contract 2.1', async () => {
    expect(await accepted(sign({ user: 'duke', groups: ['Subscriber', 'Tester'] }))).toEqual({
      sub: 'duke',
      aud: 'taproom',
      upn: 'duke@taproom.example',
      birthdate: '2001-07-13',
      auth_time: expect.any(Number),
      iss: issuer.issuer,
      roleMappings: { group2: 'Group2MappedRole' },
      groups: ['Subscriber', 'Tester'],
      preferred_username: 'duke',
      exp: expect.any(Number),
      iat: expect.any(Number),
      jti: expect.any(String),
    })
  })

  it('names its principal by upn, else preferred_username, else sub', async () => {
    const name = async (claims: DevClaims) => (await (await verifier()).verify(await sign(claims))).name
    expect(await name({ upn: 'u', preferred_username: 'p', sub: 's' })).toBe('u')
    expect(await name({ upn: undefined, preferred_username: 'p', sub: 's' })).toBe('p')
    expect(await name({ upn: undefined, preferred_username: undefined, sub: 's' })).toBe('s')
  })

  it('decisions 3.2: is signed by any of the keys of a set that have its kid, beside a symmetric one', async () => {
    const other = renamed(stranger, { kid: issuer.jwk.kid ?? '' })
    const keys = [{ kty: 'oct', k: 'c2VjcmV0', kid: issuer.jwk.kid }, issuer.jwk, other.jwk]
    for (const one of [issuer, other]) {
      expect(await accepted(one.sign(), { publicKey: `\uFEFF${JSON.stringify({ keys })}` })).toHaveProperty('iss')
    }
  })

  it('can not be changed by one request for the next', async () => {
    const claims = await accepted(sign())
    expect(Object.isFrozen(claims)).toBe(true)
    expect(Object.isFrozen(claims.groups)).toBe(true)
    expect(Object.isFrozen(claims.roleMappings)).toBe(true)
  })

  it.each([['text'], [5], [null], [{ 0: 'Subscriber' }], [['Subscriber', 5]], [undefined]])(
    'decisions 1.11: groups %j give no role',
    async (groups) => {
      expect((await accepted(sign({ groups }))).groups).toEqual([])
    },
  )

  it('decisions 1.12: roleMappings have no effect on groups', async () => {
    const claims = await accepted(sign({ groups: ['g'], roleMappings: { g: 'Subscriber' } }))
    expect(claims.groups).toEqual(['g'])
  })

  it.each([[5], [null], [true], [['duke']], [{}]])(
    'decisions 1.7: a preferred_username of %j counts as absent',
    async (value) => {
      expect(await accepted(sign({ preferred_username: value }))).not.toHaveProperty('preferred_username')
    },
  )

  it('drops known claims of another type than promised and keeps unknown ones as they are', async () => {
    const odd = { birthdate: 5, auth_time: 'now', jti: null, roleMappings: { a: 5 }, aud: [5], sub: {} }
    const claims = await accepted(sign({ ...odd, mine: { deep: [1] } }))
    for (const claim of Object.keys(odd)) expect(claims).not.toHaveProperty(claim)
    expect(claims['mine']).toEqual({ deep: [1] })
  })
})
