import { createAuthority } from '@taproom/testkit'
import { describe, expect, it } from 'vitest'
import { admit } from './admission.ts'
import { checkCaCerts } from './ca-certs.ts'

const { certificate: a, issue } = createAuthority('A')
const { certificate: b } = createAuthority('B')
const PEM = 'must be one or more certificates in PEM (RFC 7468), and nothing else in PEM'

describe('checkCaCerts', () => {
  it.each([
    ['one certificate', a],
    ['several', `${a}${b}`],
    ['text around them', `# A\n${a}\nB:\r\n${b.replaceAll('\n', '\r\n')}\n`],
  ])('decisions 3.46: takes %s', (_case, text) => {
    expect(checkCaCerts(text)).toBeUndefined()
  })

  it.each([
    ['words', 'the usual ones', PEM],
    ['a private key', issue({ names: ['x'] }).key, PEM],
    ['a private key beside a certificate', `${a}${issue({ names: ['x'] }).key}`, PEM],
    ['half a certificate', a.slice(0, a.length / 2), PEM],
    ['a certificate after half of one', `${a.slice(0, a.length / 2)}\n${b}`, PEM],
    ['a certificate without sense', `${a}${b.replace(/M\w{20}/, '')}`, 'certificate 2 of 2 cannot be read'],
    ['too many', a.repeat(100), 'must not have more than 32768 characters'],
  ])('decisions 3.46: refuses %s', (_case, text, rule) => {
    expect(checkCaCerts(text)).toBe(rule)
  })

  it('decisions 3.46: goes for subscribers and dead letter sinks, each named, and repeats nothing of the text', () => {
    const destination = { uri: 'https://s.example', CACerts: issue({ names: ['x'] }).key }
    const spec = { broker: 'default', subscriber: destination, delivery: { deadLetterSink: destination } }
    const trigger = { apiVersion: 'eventing.knative.dev/v1', kind: 'Trigger', metadata: { name: 't' }, spec }
    const problems = ['spec.subscriber.CACerts', 'spec.delivery.deadLetterSink.CACerts']
    const message = `Trigger "t" is invalid: ${problems.map((field) => `${field}: ${PEM}`).join('; ')}`
    expect(() => admit(trigger)).toThrow(expect.objectContaining({ message }))
  })
})
