import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { triggerAccount, triggerSubject } from './service-account.ts'

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

describe('the account of a trigger', () => {
  it('decisions 3.47: is named as in Knative', () => {
    expect(triggerAccount('aloha')).toBe('aloha-oidc-eventing.knative.dev-trigger')
    expect(triggerSubject({ namespace: 'bar', name: 'aloha' })).toBe(
      'system:serviceaccount:bar:aloha-oidc-eventing.knative.dev-trigger',
    )
  })

  it('decisions 3.47: has a hash in place of what does not fit, so that no two triggers share one', () => {
    const [long, longer] = [triggerAccount('x'.repeat(30)), triggerAccount('x'.repeat(31))]
    expect(triggerAccount('x'.repeat(29))).toHaveLength(63)
    expect(long).toBe(`${'x'.repeat(30)}${md5(`${'x'.repeat(30)}-oidc-eventing.knative.dev-Trigger`)}`)
    expect(longer).toMatch(/^x{31}[0-9a-f]{32}$/)
    expect(long).not.toBe(triggerAccount(`${'x'.repeat(29)}y`))
  })
})
