import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuthority } from '@taproom/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { readIncoming } from '../channel-properties.ts'
import { readConnection } from './connection-properties.ts'
import type { PropertyReader } from './property-reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'messaging-properties-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const authority = createAuthority()
const client = authority.issue({ commonName: 'beer-stream' })
const CA = file('ca.pem', authority.certificate)
const CERTIFICATE = file('certificate.pem', client.certificate)
const KEY = file('key.pem', client.key)
const LOCKED_KEY = file('locked-key.pem', client.keyEncryptedWith('sesame'))
const OTHER_KEY = file('other-key.pem', authority.issue({ commonName: 'other' }).key)
const GARBAGE = file('garbage.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')

type Properties = Readonly<Record<string, string>>

/** What is read, and what is reported; names are those of properties. */
function readAll(properties: Properties, mode: 'development' | 'production' = 'development') {
  const problems: string[] = []
  const reader: PropertyReader = {
    custom(name, { parse, default: fallback, expected }) {
      try {
        return parse(properties[name] ?? fallback ?? '')
      } catch {
        problems.push(`${name}=${properties[name] ?? ''}: expected ${expected}`)
        return undefined as never
      }
    },
    problem: (name, message) => void problems.push(`${name}: ${message}`),
  }
  return { reader, problems, mode }
}

function securityOf(properties: Properties, mode?: 'development' | 'production') {
  const { reader, problems } = readAll(properties, mode)
  const { security } = readConnection(reader, { mode: mode ?? 'development' })
  expect(problems).toEqual([])
  return security
}

function problemsOf(properties: Properties, mode?: 'development' | 'production') {
  const { reader, problems } = readAll(properties)
  readConnection(reader, { ...(mode && { mode }) })
  return problems
}

const scram = {
  'kafka.security.protocol': 'SASL_SSL',
  'kafka.sasl.mechanism': 'SCRAM-SHA-512',
  'kafka.sasl.username': 'alice',
  'kafka.sasl.password': 'sesame',
}
const oauth = {
  'kafka.security.protocol': 'SASL_SSL',
  'kafka.sasl.mechanism': 'OAUTHBEARER',
  'kafka.sasl.oauthbearer.token.endpoint.url': 'https://issuer.example/token',
  'kafka.sasl.oauthbearer.client.id': 'taproom',
  'kafka.sasl.oauthbearer.client.secret': 'sesame',
}
const mutual = {
  'kafka.security.protocol': 'SSL',
  'kafka.ssl.ca.location': CA,
  'kafka.ssl.certificate.location': CERTIFICATE,
}

describe('readConnection', () => {
  it('decisions 3.25: has neither TLS nor SASL by default', () => {
    expect(readConnection(readAll({}).reader)).toEqual({ bootstrapServers: 'localhost:9092' })
  })

  it('decisions 3.25: reads users and passwords, token endpoints and certificates', () => {
    expect(securityOf(scram, 'production')).toEqual({
      tls: {},
      sasl: { mechanism: 'SCRAM-SHA-512', username: 'alice', password: 'sesame' },
    })
    expect(securityOf({ ...oauth, 'kafka.sasl.oauthbearer.scope': 'kafka' }, 'production')?.sasl).toEqual({
      mechanism: 'OAUTHBEARER',
      token: { url: 'https://issuer.example/token', clientId: 'taproom', clientSecret: 'sesame', scope: 'kafka' },
    })
    expect(securityOf({ ...mutual, 'kafka.ssl.key.location': KEY })).toEqual({
      tls: { ca: { file: CA }, certificate: { file: CERTIFICATE }, key: { file: KEY } },
    })
    const locked = { 'kafka.ssl.key.location': LOCKED_KEY, 'kafka.ssl.key.password': 'sesame' }
    expect(securityOf({ ...mutual, ...locked })?.tls).toMatchObject({
      key: { file: LOCKED_KEY },
      keyPassword: 'sesame',
    })
  })

  it('decisions 3.25: an attribute of a channel comes before that for all', () => {
    const own = {
      'mp.messaging.incoming.beers.sasl.username': 'bob',
      'mp.messaging.incoming.beers.sasl.mechanism': 'plain',
    }
    const { reader, problems } = readAll({ ...scram, ...own })
    expect(readIncoming(reader, { channel: 'beers' }).security?.sasl).toEqual({
      mechanism: 'PLAIN',
      username: 'bob',
      password: 'sesame',
    })
    expect(problems).toEqual([])
  })

  const without = (properties: Properties, name: string) =>
    Object.fromEntries(Object.entries(properties).filter(([key]) => key !== name))
  it.each<[string, Properties, readonly string[]]>([
    [
      'an unknown protocol',
      { 'kafka.security.protocol': 'TLS' },
      ['kafka.security.protocol=TLS: expected one of PLAINTEXT,'],
    ],
    [
      'an unknown mechanism',
      { ...scram, 'kafka.sasl.mechanism': 'GSSAPI' },
      ['kafka.sasl.mechanism=GSSAPI: expected one of PLAIN,'],
    ],
    ['no mechanism', without(scram, 'kafka.sasl.mechanism'), ['kafka.sasl.mechanism=: expected one of PLAIN,']],
    [
      'no username',
      without(scram, 'kafka.sasl.username'),
      ['kafka.sasl.username=: expected a user, because kafka.sasl.mechanism is'],
    ],
    ['no password', without(scram, 'kafka.sasl.password'), ['kafka.sasl.password=: expected a password']],
    [
      'SASL with PLAINTEXT',
      without(scram, 'kafka.security.protocol'),
      ['sasl.mechanism', 'sasl.username', 'sasl.password'].map((name) => `kafka.${name}=`),
    ],
    [
      'a mechanism with SSL',
      { ...scram, 'kafka.security.protocol': 'SSL' },
      Array(3).fill('nothing, because kafka.security.protocol is SSL'),
    ],
    ['a CA with PLAINTEXT', { 'kafka.ssl.ca.location': CA }, ['nothing, because kafka.security.protocol is PLAINTEXT']],
    [
      'a token endpoint with SCRAM',
      { ...oauth, ...scram },
      Array(3).fill('nothing, because kafka.sasl.mechanism is SCRAM-SHA-512'),
    ],
    [
      'a password with OAUTHBEARER',
      { ...oauth, 'kafka.sasl.password': 'x' },
      ['kafka.sasl.password=x: expected nothing'],
    ],
    [
      'no client secret',
      without(oauth, 'kafka.sasl.oauthbearer.client.secret'),
      ['client.secret=: expected a client secret'],
    ],
    [
      'a token endpoint with a password in its URL',
      { ...oauth, 'kafka.sasl.oauthbearer.token.endpoint.url': 'https://a:b@issuer.example' },
      ['without user and password'],
    ],
    [
      'a CA file that is not there',
      { ...mutual, 'kafka.ssl.ca.location': '/nowhere' },
      ['kafka.ssl.ca.location=/nowhere: expected a readable file', 'key.location'],
    ],
    [
      'a CA file without certificates',
      { 'kafka.security.protocol': 'SSL', 'kafka.ssl.ca.location': KEY },
      ['expected a readable file with certificates'],
    ],
    [
      'a damaged CA file',
      { 'kafka.security.protocol': 'SSL', 'kafka.ssl.ca.location': GARBAGE },
      ['expected a readable file with certificates'],
    ],
    [
      'a certificate without key',
      mutual,
      [
        'kafka.ssl.key.location=: expected a readable file with a private key in PEM, because kafka.ssl.certificate.location is set',
      ],
    ],
    [
      'a key without certificate',
      { 'kafka.security.protocol': 'SSL', 'kafka.ssl.key.location': KEY },
      ['kafka.ssl.certificate.location=: expected'],
    ],
    [
      'the key of another certificate',
      { ...mutual, 'kafka.ssl.key.location': OTHER_KEY },
      ['kafka.ssl.key.location: expected the key of the certificate'],
    ],
    [
      'a locked key without password',
      { ...mutual, 'kafka.ssl.key.location': LOCKED_KEY },
      ['kafka.ssl.key.password=: expected the password of the key'],
    ],
    [
      'a wrong password of the key',
      { ...mutual, 'kafka.ssl.key.location': LOCKED_KEY, 'kafka.ssl.key.password': 'x' },
      ['kafka.ssl.key.password=x: expected the password'],
    ],
  ])('decisions 3.30: refuses %s', (_case, properties, expected) => {
    expect(problemsOf(properties, 'development')).toEqual(expected.map((part) => expect.stringContaining(part)))
  })

  it('decisions 3.30: in production, and where nobody says otherwise, no password or token goes unencrypted', () => {
    const plain = { ...scram, 'kafka.security.protocol': 'SASL_PLAINTEXT', 'kafka.sasl.mechanism': 'PLAIN' }
    const token = { ...oauth, 'kafka.security.protocol': 'SASL_PLAINTEXT' }
    for (const mode of ['production', undefined] as const) {
      expect(problemsOf(plain, mode)).toEqual([expect.stringContaining('kafka.security.protocol: expected SASL_SSL')])
      expect(problemsOf(token, mode)).toHaveLength(1)
      expect(problemsOf({ ...oauth, 'kafka.sasl.oauthbearer.token.endpoint.url': 'http://a' }, mode)).toHaveLength(1)
    }
    expect(problemsOf(plain, 'development')).toEqual([])
    expect(problemsOf({ ...plain, 'kafka.sasl.mechanism': 'SCRAM-SHA-256' }, 'production')).toEqual([])
  })
})
