import { describe, expect, it } from 'vitest'
import { jaasFileOf, plainEntryOf, readJaas } from './jaas.ts'

describe('plainEntryOf', () => {
  it.each([
    ['KafkaServer', 'org.apache.kafka.common.security.plain.PlainLoginModule required\n user_alice="a;}b"\n;'],
    ['sasl_plaintext.KafkaServer', 'PlainLoginModule required username="x" user_alice="a;}b";'],
    ['KafkaServer', 'a.ScramLoginModule required username="x"; PlainLoginModule required user_alice="a;}b";'],
  ])('finds the users of PLAIN in the section %s', (section, entries) => {
    const file = `// users\nClient { PlainLoginModule required user_other="no"; };\n${section} {\n  ${entries}\n};\n`
    expect(readJaas(plainEntryOf(file) ?? '')?.options.get('user_alice')).toBe('a;}b')
  })

  it.each(['', 'Client { PlainLoginModule required user_a="b"; };', 'KafkaServer { ScramLoginModule required; };'])(
    'finds none in %j',
    (file) => expect(plainEntryOf(file)).toBeUndefined(),
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
