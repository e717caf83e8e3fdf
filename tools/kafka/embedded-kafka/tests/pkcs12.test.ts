import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'
import { makeCertificates } from './openssl.ts'

/** A request: version 0, without a client id. */
const API_VERSIONS = Buffer.from('0000000a0012000000000001ffff', 'hex')

describe('PKCS12 stores', { tags: 'openssl' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'pkcs12-'))
  beforeAll(() => {
    const certificates = makeCertificates(folder)
    const { writeStore } = certificates
    certificates.issue('broker', '/CN=localhost')
    certificates.issue('client', '/CN=duke')
    writeStore('broker', '-in', 'broker.crt', '-inkey', 'broker.key', '-certfile', 'ca.pem')
    writeStore('trust', '-in', 'ca.pem', '-nokeys')
    writeStore(
      'old',
      '-in',
      'broker.crt',
      '-inkey',
      'broker.key',
      '-certpbe',
      'PBE-SHA1-3DES',
      '-keypbe',
      'PBE-SHA1-3DES',
    )
    writeFileSync(join(folder, 'java.jks'), Buffer.from('feedfeed00000002', 'hex'))
    writeFileSync(join(folder, 'broken.p12'), Buffer.from('3082ffff', 'hex'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const start = (properties: Readonly<Record<string, string>>) =>
    startEmbeddedKafka({ listeners: 'SSL://127.0.0.1:0', properties })

  const keystore = (file: string, password = 'secret') => ({
    'ssl.keystore.location': join(folder, file),
    'ssl.keystore.password': password,
  })

  it.each(['PKCS12', 'JKS'])('give the broker its key and its clients their CA, by the type %s', async (type) => {
    await using broker = await start({
      ...keystore('broker.p12'),
      'ssl.keystore.type': type,
      'ssl.truststore.type': type,
      'ssl.truststore.location': join(folder, 'trust.p12'),
      'ssl.truststore.password': 'secret',
      'ssl.client.auth': 'required',
    })
    const [key, cert, ca] = ['client.key', 'client.crt', 'ca.pem'].map((file) => readFileSync(join(folder, file)))
    const socket = connect({ port: broker.port, host: '127.0.0.1', servername: 'localhost', key, cert, ca })
    await once(socket, 'secureConnect')
    expect(socket.authorized).toBe(true)
    expect(socket.getPeerCertificate(true).issuerCertificate.subject.CN).toBe('Test CA')
    // Only who has a certificate that the broker trusts is answered.
    socket.write(API_VERSIONS)
    expect((await once(socket, 'data')).length).toBe(1)
    socket.destroy()
    const stranger = connect({ port: broker.port, host: '127.0.0.1', servername: 'localhost', ca })
    const refusal = await new Promise<Error>((resolve) => stranger.resume().on('error', resolve))
    expect(refusal.message).toContain('certificate required')
  })

  it.each([
    ['broker.p12', 'wrong', /ssl.keystore.location: the store .*broker.p12 cannot be read: the password is wrong/],
    ['old.p12', 'secret', /old.p12 cannot be read: it is encrypted as by old versions of Java/],
    ['java.jks', 'secret', /java.jks is in Java's old format JKS: convert it with keytool -importkeystore to PKCS12/],
    ['broken.p12', 'secret', /the store .*broken.p12 cannot be read/],
    ['trust.p12', 'secret', /ssl.keystore.location must have one private key in PEM or PKCS12; it has 0/],
  ])('stop the start when they cannot be used: %s with password %s', async (file, password, message) => {
    await expect(start(keystore(file, password))).rejects.toThrow(message)
  })

  it('have a type that is known', async () => {
    const problem = 'ssl.keystore.type must be one of PEM, PKCS12, JKS; got "BKS"'
    await expect(start({ ...keystore('broker.p12'), 'ssl.keystore.type': 'BKS' })).rejects.toThrow(problem)
  })
})
