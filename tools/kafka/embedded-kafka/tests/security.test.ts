import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'
import { startBrokerProcess } from './broker-process.ts'
import { waitFor } from './consume.ts'
import { runJava } from './java-program.ts'
import { kcat } from './kcat.ts'
import { type Certificates, makeCertificates } from './openssl.ts'

const SECRET = 'distinctive-Pa55phrase'
const CALLBACK =
  'org.apache.kafka.common.security.oauthbearer.internals.unsecured.OAuthBearerUnsecuredValidatorCallbackHandler'

// Without openssl on the machine there are no certificates; packages/messaging tests TLS without it.
describe('TLS', { tags: 'openssl' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'))
  let certificates: Certificates
  beforeAll(() => {
    certificates = makeCertificates(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Of a broker whose key and chain are in one file, or in two properties on one line each. */
  const stores = (isInFile: boolean): Record<string, string> => {
    const { key, certificate } = certificates.issue('broker', '/CN=localhost')
    const file = join(folder, 'broker.pem')
    writeFileSync(file, key + certificate)
    return {
      'ssl.keystore.type': 'PEM',
      'ssl.truststore.type': 'PEM',
      'ssl.truststore.location': certificates.ca,
      ...(isInFile
        ? { 'ssl.keystore.location': file }
        : {
            'ssl.keystore.key': key.replaceAll('\n', ' '),
            'ssl.keystore.certificate.chain': certificate.replaceAll('\n', ' '),
          }),
    }
  }
  const asClient = (name: string) => [
    '-X',
    `ssl.certificate.location=${name}.crt`,
    '-X',
    `ssl.key.location=${name}.key`,
  ]

  describe('kcat', { tags: 'kcat' }, () => {
    it.each([true, false])(
      'is let in with its certificate, and not without, where one is required (in a file: %s)',
      async (isInFile) => {
        const errors: unknown[] = []
        await using broker = await startEmbeddedKafka({
          listeners: 'SSL://127.0.0.1:0',
          properties: { ...stores(isInFile), 'ssl.client.auth': 'required' },
          onConnectionError: (error) => void errors.push(error),
        })
        certificates.issue('client', '/O=Example/CN=taproom')
        const target = [
          '-b',
          broker.bootstrapServers,
          '-X',
          'security.protocol=ssl',
          '-X',
          `ssl.ca.location=${certificates.ca}`,
        ]
        const identity = asClient(join(folder, 'client'))
        await kcat([...target, ...identity, '-t', 't', '-P'], 'by certificate')
        expect(await kcat([...target, ...identity, '-t', 't', '-C', '-e', '-q'])).toBe('by certificate\n')
        expect(errors).toEqual([])
        await expect(kcat([...target, '-L', '-m', '5'])).rejects.toThrow()
        expect(errors[0]).toMatchObject({ code: 'EMBEDDED_KAFKA_TLS' })
        // Of a CA that the broker does not know.
        const foreign = mkdtempSync(join(folder, 'foreign-'))
        makeCertificates(foreign).issue('client', '/CN=taproom')
        await expect(kcat([...target, ...asClient(join(foreign, 'client')), '-L', '-m', '5'])).rejects.toThrow()
      },
    )

    describe('the command', () => {
      let broker: Awaited<ReturnType<typeof startBrokerProcess>>
      beforeAll(async () => {
        const { key, certificate } = certificates.issue('broker', '/CN=localhost')
        broker = await startBrokerProcess({
          env: {
            KAFKA_LISTENERS: 'CLIENT://127.0.0.1:0,PLAINTEXT://127.0.0.1:0',
            KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CLIENT:SASL_SSL,PLAINTEXT:PLAINTEXT',
            KAFKA_SSL_KEYSTORE_TYPE: 'PEM',
            KAFKA_SSL_KEYSTORE_KEY: key,
            KAFKA_SSL_KEYSTORE_CERTIFICATE_CHAIN: certificate,
            KAFKA_SASL_ENABLED_MECHANISMS: 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
            KAFKA_LISTENER_NAME_CLIENT_PLAIN_SASL_JAAS_CONFIG: `org.apache.kafka.common.security.plain.PlainLoginModule required user_alice="${SECRET}";`,
            KAFKA_ADD_SCRAM: `SCRAM-SHA-256=[name=alice,password=${SECRET}],SCRAM-SHA-512=[name=alice,password=${SECRET}]`,
          },
        })
      })
      afterAll(() => broker?.[Symbol.asyncDispose]())

      it.each(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'])('authenticates by %s over TLS', async (mechanism) => {
        const as = (password: string) => [
          ...['-b', broker.bootstrapServers, '-X', 'security.protocol=sasl_ssl'],
          ...['-X', `ssl.ca.location=${certificates.ca}`],
          ...['-X', `sasl.mechanisms=${mechanism}`, '-X', 'sasl.username=alice', '-X', `sasl.password=${password}`],
        ]
        await kcat([...as(SECRET), '-t', mechanism, '-P'], 'by name')
        expect(await kcat([...as(SECRET), '-t', mechanism, '-C', '-e', '-q'])).toBe('by name\n')
        await expect(kcat([...as('x'), '-L', '-m', '5'])).rejects.toThrow()
      })
    })
  })

  it('ends connections whose handshake takes too long, or is none, and counts them', async () => {
    const errors: unknown[] = []
    const limits = {
      slowClientMs: 1000,
      maxConnections: 2,
      onConnectionError: (error: unknown) => void errors.push(error),
    }
    await using broker = await startEmbeddedKafka({
      listeners: 'SSL://127.0.0.1:0',
      properties: stores(true),
      ...limits,
    })
    const { openRawClient } = await import('./sasl-client.ts')
    await using silent = await openRawClient(broker.port)
    await waitFor(() => silent.socket.destroyed)
    expect(String(errors.splice(0))).toContain('TlsHandshakeError')
    await using plain = await openRawClient(broker.port)
    expect(await plain.ask(3, 1)).toBeUndefined()
    await waitFor(() => errors.length > 0)
    // Those that are gone are not counted any more.
    const tls = connectTls({
      port: broker.port,
      host: '127.0.0.1',
      ca: certificates.issue('x', '/CN=x').certificate,
      rejectUnauthorized: false,
    })
    await new Promise((resolve, reject) => tls.once('secureConnect', resolve).once('error', reject))
    tls.destroy()
  })

  it('the Java client uses every mechanism over it, renews its sessions, and administers users', {
    tags: 'java-client',
  }, async () => {
    const scram = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].map((mechanism) => `${mechanism}=[name=alice,password=${SECRET}]`)
    await using broker = await startEmbeddedKafka({
      listeners: 'SECURE://127.0.0.1:0',
      listenerSecurityProtocolMap: 'SECURE:SASL_SSL',
      properties: {
        ...stores(true),
        'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
        'connections.max.reauth.ms': '3000',
        'listener.name.secure.plain.sasl.jaas.config': `PlainLoginModule required user_alice="${SECRET}";`,
        'listener.name.secure.oauthbearer.sasl.server.callback.handler.class': CALLBACK,
      },
      addScram: scram.join(),
    })
    await runJava('JavaSecurity', broker.bootstrapServers, { more: [SECRET, certificates.ca] })
  })
})
