import { expect, it, onTestFinished, vi } from 'vitest'
import { claimsOf, DEVELOPMENT, makeGuardedSystem } from './guarded-system.ts'
import { runHere } from './run-here.ts'

const OWN = 'https://own.example'

it('decisions 3.120: tokens of development are those of MP_JWT_VERIFY_ISSUER where no system runs, as for containers that are given it', async () => {
  await using guarded = await makeGuardedSystem()
  onTestFinished(() => void vi.unstubAllEnvs())
  const issuer = async () => claimsOf((await runHere(guarded.root, 'token')).stdout)['iss']
  expect(await issuer()).toBe(DEVELOPMENT)
  vi.stubEnv('MP_JWT_VERIFY_ISSUER', OWN)
  expect(await issuer()).toBe(OWN)
})
