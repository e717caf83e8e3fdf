import { describe, expect, it } from 'vitest'
import { readTokenClaims, readTokenOptions, TokenUsageError } from './token-claims.ts'

describe('readTokenOptions', () => {
  it.each([[['--expires-in', '-10', '--exp', '-1']], [['--expires-in=-10', '--exp=-1']]])(
    'takes a negative value: %j',
    (args) => {
      expect(readTokenOptions(args)).toEqual({ 'expires-in': '-10', exp: '-1' })
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

  it('contract 2.1: every claim has its option', () => {
    const claims = readTokenClaims({
      user: 'duke',
      groups: 'Subscriber, admin',
      'expires-in': '-10',
      sub: 's',
      aud: 'a',
      upn: 'u@example.org',
      birthdate: '2001-07-13',
      'auth-time': '1',
      iss: 'https://other.example',
      'role-mappings': '{"group1":"role1"}',
      'preferred-username': 'd',
      exp: '2',
      iat: '3',
      jti: 'j',
    })
    expect(claims).toEqual({
      user: 'duke',
      groups: ['Subscriber', 'admin'],
      expiresInSeconds: -10,
      sub: 's',
      aud: 'a',
      upn: 'u@example.org',
      birthdate: '2001-07-13',
      auth_time: 1,
      iss: 'https://other.example',
      roleMappings: { group1: 'role1' },
      preferred_username: 'd',
      exp: 2,
      iat: 3,
      jti: 'j',
    })
  })

  it('has no groups when the list is empty, and leaves claims out on request', () => {
    const claims = readTokenClaims({ groups: '', omit: 'exp,preferred_username' })
    expect(claims.groups).toEqual([])
    expect(Object.entries(claims)).toContainEqual(['exp', undefined])
    expect(Object.entries(claims)).toContainEqual(['preferred_username', undefined])
  })

  it.each([
    ['expires-in', 'soon'],
    ['exp', '1.5'],
    ['birthdate', '13.07.2001'],
    ['role-mappings', '[1]'],
    ['role-mappings', '{'],
  ])('refuses --%s=%s, naming option, value and expectation', (option, value) => {
    expect(() => readTokenClaims({ [option]: value })).toThrow(`--${option}=${JSON.stringify(value)}: expected `)
  })
})
