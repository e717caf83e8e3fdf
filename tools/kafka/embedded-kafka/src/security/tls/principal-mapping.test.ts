import { describe, expect, it } from 'vitest'
import { principalMapping } from './principal-mapping.ts'

const mappedBy = (value: string | undefined, name: string) => {
  const problems: string[] = []
  const mapped = principalMapping({ name: 'rules', value }, problems)(name)
  return problems.length > 0 ? problems : mapped
}

// From Apache Kafka's documentation and its SslPrincipalMapperTest.
describe('ssl.principal.mapping.rules', () => {
  const rules =
    'RULE:^CN=(.*?),OU=ServiceUsers.*$/$1/, RULE:^CN=(.*?),OU=(.*?),O=(.*?),L=(.*?),ST=(.*?),C=(.*?)$/$1@$2/L, RULE:^.*[Cc][Nn]=([a-zA-Z0-9.]*).*$/$1/U, DEFAULT'
  it.each([
    ['CN=Duke,OU=ServiceUsers,O=Org,C=US', 'Duke'],
    ['CN=Duke,OU=SME,O=mycp,L=Fulton,ST=MD,C=US', 'duke@sme'],
    ['cn=duke,ou=sme,dc=mycp,dc=com', 'DUKE'],
    ['DN=duke', 'DN=duke'],
  ])('maps %s to %s', (name, mapped) => expect(mappedBy(rules, name)).toBe(mapped))

  it('leaves names as they are without rules, and maps none that no rule fits', () => {
    expect(mappedBy(undefined, 'CN=a,O=b')).toBe('CN=a,O=b')
    expect(mappedBy('RULE:CN=(.*)/$1/', 'O=b')).toBeUndefined()
    expect(mappedBy(String.raw`RULE:CN=(.*)/a\/$1/`, 'CN=x')).toBe('a/x')
  })

  it.each(['RULE:^CN=(.*', 'default', 'RULE:(/x/', 'RULE:a/b/Q', 'DEFAULT;DEFAULT'])(
    'names the property for %s',
    (value) => {
      expect(mappedBy(value, 'CN=a')).toEqual([expect.stringContaining(`rules must be`)])
    },
  )
})
