import type { CloudEventV1 } from 'cloudevents'
import { describe, expect, it } from 'vitest'
import { type AuthorizationMode, BrokerAccess, type SenderRule } from './broker-access.ts'

const broker = { namespace: 'bar', name: 'default' }
const [MINE, THEIRS] = ['system:serviceaccount:bar:me', 'system:serviceaccount:barrel:me']
const event = (type: string): CloudEventV1<Buffer> => ({ specversion: '1.0', id: '1', source: '/s', type })
const ruleOf = (rule: Partial<SenderRule>): SenderRule => ({ subjects: new Set(), prefixes: [], ...rule })

function open(mode: AuthorizationMode, rules?: readonly SenderRule[]) {
  const access = new BrokerAccess(mode)
  if (rules) access.set(broker, rules)
  return (sender: string | undefined, sent?: CloudEventV1<Buffer>) => {
    try {
      access.check(broker, sender, sent)
      return true
    } catch (error) {
      expect(error).toMatchObject({ code: 'EVENT_FORBIDDEN', status: 403 })
      return false
    }
  }
}

describe('BrokerAccess', () => {
  it.each([
    ['allow-all', true, true],
    ['allow-same-namespace', true, false],
    ['deny-all', false, false],
  ] as const)('decisions 3.48: without a policy, %s', (mode, mine, theirs) => {
    const may = open(mode, [])
    expect([may(MINE), may(THEIRS)]).toEqual([mine, theirs])
  })

  it('decisions 3.48: a policy lets in whom it names, by the whole subject or its beginning, whatever the mode', () => {
    const rule = ruleOf({ subjects: new Set([THEIRS]), prefixes: ['system:serviceaccount:foo:'] })
    for (const mode of ['allow-all', 'deny-all'] as const) {
      const may = open(mode, [ruleOf({}), rule])
      const senders = [THEIRS, `${THEIRS}x`, THEIRS.toUpperCase(), 'system:serviceaccount:foo:x', MINE]
      expect(senders.map((sender) => may(sender))).toEqual([true, false, false, true, false])
    }
  })

  it('decisions 3.48: the filters of a policy go for those that it names; one that fails lets nothing in', () => {
    const subjects = new Set([MINE])
    const may = open('allow-all', [ruleOf({ subjects, matches: ({ type }) => type === 'a' })])
    expect([may(MINE), may(MINE, event('a')), may(MINE, event('b')), may(THEIRS, event('a'))]).toEqual([
      true,
      true,
      false,
      false,
    ])
    const failing = open('allow-all', [
      ruleOf({
        subjects,
        matches: () => {
          throw new RangeError('deep')
        },
      }),
    ])
    expect(failing(MINE, event('a'))).toBe(false)
  })

  it('decisions 3.48: nobody, and nobody to a broker that is not known', () => {
    expect(open('allow-all', [])(undefined)).toBe(false)
    expect(open('allow-all')(MINE)).toBe(false)
  })
})
