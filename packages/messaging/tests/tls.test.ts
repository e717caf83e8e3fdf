import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type EmbeddedKafka, startEmbeddedKafka } from '@taproom/embedded-kafka'
import { createAuthority, type TestCertificate, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createKafka, type KafkaTls, openIncoming, openOutgoing, openTransform } from '../src/index.ts'
import { reasonWhenDown, untilUp } from './checks.ts'
import { silentLog } from './silent-log.ts'
import { startTlsProxy } from './tls-proxy.ts'

const authority = createAuthority()
const server = authority.issue({ names: ['localhost', '127.0.0.1'] })
const identity = ({ certificate: cert, key }: TestCertificate) => ({ cert, key })
const folder = await mkdtemp(join(tmpdir(), 'messaging-tls-'))
let broker: EmbeddedKafka
beforeAll(async () => {
  broker = await startEmbeddedKafka()
})
afterAll(async () => {
  await broker[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const clientOf = (bootstrapServers: string, tls?: KafkaTls) =>
  createKafka({ clientId: 'tls-test', bootstrapServers, log: silentLog, ...(tls && { security: { tls } }) })

const openChannel = (bootstrapServers: string, tls?: KafkaTls) =>
  openOutgoing(clientOf(bootstrapServers, tls), { channel: 'beers', timeoutMs: 60_000 })

describe('TLS', () => {
  it('decisions 3.25: every channel works over it, with the certificate of the client where Kafka asks for one', async () => {
    const client = authority.issue({ commonName: 'price-generator' })
    const asksForOne = { ca: authority.certificate, requestCert: true, rejectUnauthorized: true }
    await using proxy = await startTlsProxy(broker, { ...identity(server), ...asksForOne })
    const kafka = clientOf(proxy.bootstrapServers, {
      ca: authority.certificate,
      certificate: client.certificate,
      key: client.keyEncryptedWith('sesame'),
      keyPassword: 'sesame',
    })
    const seen: string[] = []
    await using transform = openTransform(kafka, {
      channel: 'pricing',
      inputTopic: 'beer',
      outputTopic: 'priced-beer',
      groupId: 'pricing',
      transactionalId: 'pricing',
      transform: ({ value }) => [{ value: `${value} priced` }],
    })
    await using incoming = openIncoming(kafka, {
      channel: 'priced-beer',
      onMessage: ({ value }) => void seen.push(String(value)),
    })
    await using outgoing = openOutgoing(kafka, { channel: 'beers', topic: 'beer', timeoutMs: 60_000 })
    await Promise.all([incoming.assigned, transform.assigned])
    await outgoing.send({ value: 'Duvel' })
    await waitFor('the price', () => seen.length > 0)
    expect(seen).toEqual(['Duvel priced'])
  })

  it('decisions 3.25: a certificate for another host is refused, unless its name is not looked at', async () => {
    const other = authority.issue({ names: ['kafka.example'] })
    await using proxy = await startTlsProxy(broker, identity(other))
    const ca = authority.certificate
    await using refused = openChannel(proxy.bootstrapServers, { ca })
    expect(await reasonWhenDown(refused)).toBe(
      `the certificate of Kafka broker ${proxy.bootstrapServers} is not for localhost`,
    )
    await using named = openChannel(proxy.bootstrapServers, { ca, serverName: 'kafka.example' })
    await using unchecked = openChannel(proxy.bootstrapServers, { ca, verifyHostname: false })
    await untilUp(named, unchecked)
  })

  it('decisions 3.25: no variable lets a certificate pass that is of another CA', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    try {
      await using proxy = await startTlsProxy(
        broker,
        identity(createAuthority('another').issue({ names: ['localhost'] })),
      )
      await using channel = openChannel(proxy.bootstrapServers, { ca: authority.certificate })
      expect(await reasonWhenDown(channel)).toContain('is of a CA that is not trusted here')
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it.each([
    ['ca', ''],
    ['certificate', '\n'],
    ['key', '# to come\n'],
  ] as const)(
    'decisions 3.26: a file of the %s that holds %j is not passed over, and read again when it is whole',
    async (name, text) => {
      const client = authority.issue({ commonName: 'beer-generator' })
      const whole = { ca: authority.certificate, certificate: client.certificate, key: client.key }
      // A client without certificate would be let in.
      await using proxy = await startTlsProxy(broker, identity(server))
      const file = join(folder, `changing-${name}.pem`)
      await writeFile(file, text)
      await using channel = openChannel(proxy.bootstrapServers, { ...whole, [name]: { file } })
      expect(await reasonWhenDown(channel)).toContain(`cannot be used: there is no PEM in ${file}`)
      await writeFile(file, whole[name])
      await untilUp(channel)
    },
  )

  it('decisions 3.26: an emptied file of CAs does not make those of Node trusted', async () => {
    // The CAs of Node are this one for a while: the broker's certificate is good for whoever trusts them.
    const usual = getCACertificates('default')
    setDefaultCACertificates([authority.certificate])
    try {
      await using proxy = await startTlsProxy(broker, identity(server))
      await using trusting = openChannel(proxy.bootstrapServers, {})
      await untilUp(trusting)
      const file = join(folder, 'emptied.pem')
      await writeFile(file, '')
      await using channel = openChannel(proxy.bootstrapServers, { ca: { file } })
      expect(await reasonWhenDown(channel)).toContain('there is no PEM in')
    } finally {
      setDefaultCACertificates(usual)
    }
  })

  it('decisions 3.26: files are read again for every connection, so that a renewed certificate needs no restart', async () => {
    const [ca, certificate, key] = ['ca.pem', 'certificate.pem', 'key.pem'].map((name) => ({
      file: join(folder, name),
    }))
    const write = async (authorityText: string, { certificate: text, key: keyText }: TestCertificate) => {
      const texts = [authorityText, text, keyText]
      await Promise.all([ca, certificate, key].map((pem, index) => writeFile(pem?.file ?? '', texts[index] ?? '')))
    }
    await write(createAuthority().certificate, createAuthority('another').issue({ commonName: 'beer-generator' }))
    const asksForOne = { ca: authority.certificate, requestCert: true, rejectUnauthorized: true }
    await using proxy = await startTlsProxy(broker, { ...identity(server), ...asksForOne })
    await using channel = openChannel(proxy.bootstrapServers, {
      ...(ca && { ca }),
      ...(certificate && { certificate }),
      ...(key && { key }),
    })
    await reasonWhenDown(channel, (reason) => reason.includes('is of a CA that is not trusted here'))
    await rm(key?.file ?? '')
    await reasonWhenDown(channel, (reason) => reason.includes('certificates and key of this client cannot be used'))
    await write(authority.certificate, authority.issue({ commonName: 'beer-generator' }))
    await untilUp(channel)
  })
})

describe('decisions 3.27: readiness says why TLS fails, and is back when it is mended', () => {
  const expiresAt = new Date('2026-01-01T00:00:00Z')
  const unknown = createAuthority('another CA').issue({ names: ['localhost'] })
  it.each([
    [
      'an expired certificate',
      authority.issue({ names: ['localhost'], expiresAt }),
      'expired on 2026-01-01T00:00:00.000Z',
    ],
    ['a CA that is not known', unknown, 'is of a CA that is not trusted here'],
  ])('%s', async (_case, certificate, expected) => {
    await using proxy = await startTlsProxy(broker, identity(certificate))
    const kafka = clientOf(proxy.bootstrapServers, { ca: authority.certificate })
    await using outgoing = openOutgoing(kafka, { channel: 'beers' })
    await using incoming = openIncoming(kafka, { channel: 'beers', onMessage: () => undefined })
    for (const channel of [outgoing, incoming]) {
      expect(await reasonWhenDown(channel)).toContain(
        `the certificate of Kafka broker ${proxy.bootstrapServers} ${expected}`,
      )
    }
    proxy.use(identity(server))
    await untilUp(outgoing, incoming)
  })

  it('a broker that ends the handshake half-way', async () => {
    await using proxy = await startTlsProxy(broker, identity(server))
    proxy.dropHandshakes = true
    await using channel = openChannel(proxy.bootstrapServers, { ca: authority.certificate })
    expect(await reasonWhenDown(channel)).toContain('ended the connection during the TLS handshake')
    proxy.dropHandshakes = false
    await untilUp(channel)
  })

  it('a client certificate that is missing', async () => {
    const asksForOne = { ca: authority.certificate, requestCert: true, rejectUnauthorized: true }
    await using proxy = await startTlsProxy(broker, { ...identity(server), ...asksForOne })
    await using channel = openChannel(proxy.bootstrapServers, { ca: authority.certificate })
    expect(await reasonWhenDown(channel)).toBe(
      `Kafka broker ${proxy.bootstrapServers} refused the TLS connection: certificate required`,
    )
  })

  it('a client without TLS at a port with it, and one with TLS at a port without', async () => {
    await using proxy = await startTlsProxy(broker, identity(server))
    await using plain = openChannel(proxy.bootstrapServers)
    await using encrypted = openChannel(broker.bootstrapServers, { ca: authority.certificate })
    expect(await reasonWhenDown(plain)).toMatch(/perhaps it wants TLS at this port|speaks TLS at this port/)
    expect(await reasonWhenDown(encrypted)).toMatch(/does not speak TLS at this port/)
  })

  it('a reader whose connections break stays in its group’s place and goes on', async () => {
    await using proxy = await startTlsProxy(broker, identity(server))
    const kafka = clientOf(proxy.bootstrapServers, { ca: authority.certificate })
    const seen: string[] = []
    await using incoming = openIncoming(kafka, {
      channel: 'stouts',
      groupId: 'drinkers',
      onMessage: ({ value }) => void seen.push(String(value)),
    })
    await incoming.assigned
    proxy.use(identity(unknown))
    await reasonWhenDown(incoming, (reason) => reason.includes('not trusted here'))
    proxy.use(identity(server))
    await using outgoing = openOutgoing(kafka, { channel: 'stouts', timeoutMs: 60_000 })
    await outgoing.send({ value: 'Guinness' })
    await waitFor('the stout', () => seen.includes('Guinness'))
  })
})
