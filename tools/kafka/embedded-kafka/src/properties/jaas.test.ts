import { describe, expect, it } from 'vitest'
import { JAAS_FILE, jaasFileOf, plainProperties, readJaas } from './jaas.ts'

const usersOf = (entry: string | undefined) => readJaas(entry ?? '')?.options.get('user_alice')

describe('plainProperties', () => {
  it.each([
    'org.apache.kafka.common.security.plain.PlainLoginModule required\n user_alice="a;}b"\n;',
    'a.ScramLoginModule required username="x"; PlainLoginModule required user_alice="a;}b";',
    'PlainLoginModule required // of tests; no more\n /* user_alice="no" */ user_alice="a;}b";',
  ])('finds the users of PLAIN among %j', (entries) => {
    const file = `// users\nClient { PlainLoginModule required user_other="no"; };\n  # all\nKafkaServer {\n  ${entries}\n};\n`
    expect(usersOf(plainProperties(file)[JAAS_FILE])).toBe('a;}b')
  })

  it('leaves quoted text as it is', () => {
    const file = 'KafkaServer { PlainLoginModule required user_alice="a//b/*c*/"; };'
    expect(usersOf(plainProperties(file)[JAAS_FILE])).toBe('a//b/*c*/')
  })

  it('takes a section with a name for the listener of this name', () => {
    const section = (name: string, password: string) =>
      `${name} { PlainLoginModule required user_alice="${password}"; };\n`
    const found = plainProperties(section('outside.KafkaServer', 'one') + section('KafkaServer', 'two'))
    expect(usersOf(found['listener.name.outside.plain.sasl.jaas.config'])).toBe('one')
    expect(usersOf(found[JAAS_FILE])).toBe('two')
    expect(usersOf(plainProperties(section('outside.KafkaServer', 'one'))[JAAS_FILE])).toBeUndefined()
  })

  it.each(['', 'Client { PlainLoginModule required user_a="b"; };', 'KafkaServer { ScramLoginModule required; };'])(
    'finds none in %j',
    (file) => expect(plainProperties(file)).toEqual({ [JAAS_FILE]: ';' }),
  )
})

describe('jaasFileOf', () => {
  it.each([
    ['-Djava.security.auth.login.config=/etc/kafka/jaas.conf -Xmx1g', '/etc/kafka/jaas.conf'],
    ['-Dx=y -Djava.security.auth.login.config="/a b/jaas.conf"', '/a b/jaas.conf'],
    ['-Xmx1g', undefined],
    [undefined, undefined],
  ])('reads %j', (options, file) => expect(jaasFileOf(options)).toBe(file))
})
