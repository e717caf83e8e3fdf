import { describe, expect, it } from 'vitest'
import { createVerification } from '../../tests/verification.ts'
import type { DevClaims } from '../testing/dev-issuer.ts'

const { accepted, sign, verifier } = await createVerification()

/** The roles of a token without `groups`, unless the claims have it. */
async function roles(claims: DevClaims, ...groupsPaths: string[]): Promise<readonly string[]> {
  return (await accepted(sign({ groups: undefined, ...claims }), { groupsPaths })).groups
}

/** Claims as each provider issues them, without those of its own that say nothing of roles. */
const KEYCLOAK = {
  typ: 'Bearer',
  azp: 'beer-shop',
  allowed_origins: ['https://shop.example'],
  realm_access: { roles: ['offline_access', 'default-roles-taproom', 'Subscriber'] },
  resource_access: { 'beer-shop': { roles: ['brewer'] }, account: { roles: ['manage-account'] } },
  scope: 'openid profile email',
  upn: undefined,
}
const ENTRA_ID = {
  aud: '11112222-bbbb-3333-cccc-4444dddd5555',
  oid: 'aaaaaaaa-0000-1111-2222-bbbbbbbbbbbb',
  tid: 'aaaabbbb-0000-cccc-1111-dddd2222eeee',
  roles: ['Subscriber'],
  scp: 'Beers.Read',
  ver: '2.0',
  upn: undefined,
}
const AUTH0 = {
  sub: 'auth0|0123456789abcdef',
  'https://taproom.example/roles': ['Subscriber'],
  permissions: ['read:beers'],
  scope: 'openid profile',
  upn: undefined,
  preferred_username: undefined,
}
const COGNITO = {
  'cognito:groups': ['Subscriber'],
  token_use: 'access',
  client_id: '1example23456789',
  username: 'duke',
  scope: 'aws.cognito.signin.user.admin openid',
  upn: undefined,
  preferred_username: undefined,
}

describe('decisions 1.84: roles of providers', () => {
  it.each<[string, DevClaims, string[], string[]]>([
    ['Keycloak', KEYCLOAK, ['realm_access/roles'], ['offline_access', 'default-roles-taproom', 'Subscriber']],
    ['Keycloak, of a client', KEYCLOAK, ['resource_access/beer-shop/roles'], ['brewer']],
    ['Entra ID', ENTRA_ID, ['roles'], ['Subscriber']],
    ['Auth0', AUTH0, ['"https://taproom.example/roles"'], ['Subscriber']],
    [
      'Auth0, with permissions',
      AUTH0,
      ['"https://taproom.example/roles"', 'permissions'],
      ['Subscriber', 'read:beers'],
    ],
    ['Cognito', COGNITO, ['cognito:groups'], ['Subscriber']],
    ['Cognito, by scope', COGNITO, ['scope'], ['aws.cognito.signin.user.admin', 'openid']],
  ])('%s are found at the configured paths, and nowhere without', async (_, claims, paths, expected) => {
    expect(await roles(claims, ...paths)).toEqual(expected)
    expect(await roles(claims)).toEqual([])
  })

  it('count beside those of the list groups, each once; a text counts only where groups is a path', async () => {
    expect(await roles({ groups: ['Admin', 'a'], roles: ['a', 'b'] }, 'roles')).toEqual(['Admin', 'a', 'b'])
    expect(await roles({ groups: 'Admin a', roles: ['b'] }, 'roles')).toEqual(['b'])
    expect(await roles({ groups: 'Admin a', roles: ['b'] }, 'roles', 'groups')).toEqual(['b', 'Admin', 'a'])
  })

  it.each([[5], [null], [true], [{ Subscriber: true }], [['Subscriber', 5]], [[['Subscriber']]], [''], [undefined]])(
    'are none where the claim is %j',
    async (value) => {
      expect(await roles({ a: { b: value } }, 'a/b')).toEqual([])
    },
  )

  it.each([
    ['text', 'a/length'],
    ['list', 'a/0'],
    [{}, 'a/constructor/name'],
    [{}, '__proto__'],
  ])('are none inside of %j at %s', async (a, path) => {
    expect(await roles({ a }, path)).toEqual([])
  })

  it('can not be changed by one request for the next', async () => {
    const { groups } = await accepted(sign(KEYCLOAK), { groupsPaths: ['realm_access/roles'] })
    expect(Object.isFrozen(groups)).toBe(true)
  })

  it.each(['', '/', 'a/', '/a', 'a//b', 'https://example.com/roles', '"a', 'a"b"', '""', 'a,b', 'a b', ' a'])(
    'at the malformed path %j stop the start',
    async (path) => {
      await expect(verifier({ groupsPaths: ['roles', path] })).rejects.toMatchObject({
        property: 'smallrye.jwt.path.groups',
        message: expect.stringContaining(`${JSON.stringify(path)} is not a path: expected paths of claim names`),
      })
    },
  )
})
