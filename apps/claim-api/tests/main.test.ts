import { createDevIssuer } from '@taproom/jwt/testing'
import { bundled, startProcess } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'

const main = await bundled(new URL('../src/main.ts', import.meta.url))

describe('the claim-api process', () => {
  it('says that it is ready, serves, and ends with 0 on SIGTERM', async () => {
    const issuer = await createDevIssuer()
    await using claimApi = startProcess(main, {
      MP_JWT_VERIFY_PUBLICKEY: issuer.publicKeyPem,
      MP_JWT_VERIFY_ISSUER: issuer.issuer,
    })
    const Authorization = `Bearer ${await issuer.sign({ user: 'duke' })}`
    const response = await fetch(`${await claimApi.url()}/secure/claim`, { headers: { Authorization } })
    expect(await response.text()).toBe('duke')
    expect(await claimApi.stop()).toBe(0)
  })

  it('decisions 3.1: ends with 1 and one line naming key and issuer when they are missing', async () => {
    await using claimApi = startProcess(main, {})
    expect(await claimApi.end()).toBe(1)
    expect(claimApi.errors).toEqual([expect.stringMatching(/MP_JWT_VERIFY_PUBLICKEY_LOCATION.*MP_JWT_VERIFY_ISSUER/)])
  })
})
