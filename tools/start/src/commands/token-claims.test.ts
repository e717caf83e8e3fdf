import { describe, expect, it } from 'vitest'
import { readTokenClaims, readTokenOptions, TokenUsageError } from './token-claims.ts'

describe('readTokenOptions', () => {
  it.each([[['--expires-in', '-10', '--claim', 'exp=-1']], [['--expires-in=-10', '--claim=exp=-1']]])(
    'takes a negative value: %j',
    (args) => {
      expect(readTokenOptions(args)).toEqual({ 'expires-in': '-10', claim: ['exp=-1'] })
    },
  )

  it.each([[['--nonsense']], [['extra']], [['--user']], [['-10']]])('refuses %j', (args) => {
    expect(() => readTokenOptions(args)).toThrow(TokenUsageError)
  })
})

describe('readTokenClaims', () => {
  it('leaves everything to the issuer that no option names', () => {
    expect(readTokenClaims({})).toEqual({})
  })

  it('contract 2.1: sets every claim', () => {
    const claim = ['aud="a"', 'auth_time=1', 'roleMappings={"group1":"role1"}', 'upn="a=b@example.org"']
    const claims = readTokenClaims({ user: 'duke', groups: 'Subscriber, admin', 'expires-in': '-10', claim })
    expect(claims).toEqual({
      user: 'duke',
      groups: ['Subscriber', 'admin'],
      expiresInSeconds: -10,
      aud: 'a',
      auth_time: 1,
      roleMappings: { group1: 'role1' },
      upn: 'a=b@example.org',
    })
  })

  it('has no groups when the list is empty, and leaves claims out on request', () => {
    const claims = readTokenClaims({ groups: '', omit: 'exp,preferred_username' })
    expect(claims.groups).toEqual([])
    expect(Object.entries(claims)).toContainEqual(['exp', undefined])
    expect(Object.entries(claims)).toContainEqual(['preferred_username', undefined])
  })

  it.each([
    ['--expires-in="soon"', { 'expires-in': 'soon' }],
    ['--expires-in="1.5"', { 'expires-in': '1.5' }],
    ['--claim="exp"', { claim: ['exp'] }],
    ['--claim="=1"', { claim: ['=1'] }],
    ['--claim="aud=taproom"', { claim: ['aud=taproom'] }],
  ])('refuses %s, naming option, value and expectation', (shown, options) => {
    expect(() => readTokenClaims(options)).toThrow(`${shown}: expected `)
  })
})
