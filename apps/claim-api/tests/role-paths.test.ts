import { describe, expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { startIssuedClaimService } from './claim-service.ts'

describe('decisions 1.84: SMALLRYE_JWT_PATH_GROUPS', () => {
  const subscriber = { groups: undefined, realm_access: { roles: ['Subscriber'] } }

  it('has the roles of a default Keycloak found, which are 403 without', async () => {
    for (const [env, status] of [
      [{}, 403],
      [{ SMALLRYE_JWT_PATH_GROUPS: 'realm_access/roles' }, 200],
      [{ 'smallrye.jwt.path.groups': 'resource_access/beer-shop/roles, realm_access/roles' }, 200],
    ] as const) {
      await using service = await startIssuedClaimService(env)
      const Authorization = `Bearer ${await service.issuer.sign(subscriber)}`
      expect((await fetch(`${service.url}/secure/claim`, { headers: { Authorization } })).status).toBe(status)
    }
  })

  it('has a name with slashes and commas in double quotes', async () => {
    const SMALLRYE_JWT_PATH_GROUPS = 'permissions,"https://taproom.example/roles,all"/list'
    await using service = await startIssuedClaimService({ SMALLRYE_JWT_PATH_GROUPS })
    const claims = { groups: undefined, 'https://taproom.example/roles,all': { list: 'Guest Subscriber' } }
    const Authorization = `Bearer ${await service.issuer.sign(claims)}`
    const answer = await fetch(`${service.url}/secure/claim`, { headers: { Authorization } })
    expect([answer.status, await answer.text()]).toEqual([200, 'duke'])
  })

  it.each(['https://taproom.example/roles', 'realm_access/', 'roles,', '"roles'])(
    'that is %j stops the start, naming variable, value and what is expected',
    (value) => {
      const key = { MP_JWT_VERIFY_PUBLICKEY: 'key', MP_JWT_VERIFY_ISSUER: 'https://issuer.taproom.example' }
      const start = () => readConfig({ ...key, SMALLRYE_JWT_PATH_GROUPS: value })
      expect(start).toThrow(`SMALLRYE_JWT_PATH_GROUPS=${JSON.stringify(value)}: expected paths of claim names such as`)
    },
  )
})
