import { freePort } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { portProblem } from './free-port.ts'

describe('portProblem', () => {
  it.each([
    ['nonsense.invalid', 'host nonsense.invalid is not known: set HOST'],
    ['192.0.2.1', "address 192.0.2.1 is not one of this machine's: set HOST"],
  ])('names HOST alone when it is to blame: %s', async (host, message) => {
    expect(await portProblem({ host, port: await freePort(), variable: 'PORT' })).toBe(message)
  })
})
