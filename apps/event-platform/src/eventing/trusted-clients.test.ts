import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createAuthority, type TestAuthority } from '@taproom/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { checkCaCerts } from '../resources/ca-certs.ts'
import { TrustedClients } from './trusted-clients.ts'

async function serve(authority: TestAuthority) {
  const { certificate: cert, key } = authority.issue({ names: ['127.0.0.1'] })
  /** Whether each connection resumed the session of another. */
  const resumed: boolean[] = []
  const server = createServer({ cert, key }, (_req, res) => void res.writeHead(200, { Connection: 'close' }).end())
  server.on('secureConnection', (socket) => resumed.push(socket.isSessionReused()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.close()
    server.closeAllConnections()
  }
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    resumed,
    /** Knows no session of before any more. */
    forget: () => server.setTicketKeys(Buffer.alloc(48, 1)),
    [Symbol.asyncDispose]: close,
  }
}

async function statusOf(url: string, clients: TrustedClients, caCerts: string): Promise<unknown> {
  return (await clients.of(caCerts).request({ method: 'GET', url, timeoutMs: 10_000, limitBytes: 0 })).status
}

describe('TrustedClients', () => {
  const before = getCACertificates('default')
  afterAll(() => setDefaultCACertificates(before))

  it("decisions 3.46: trust their certificates beside Node's own, and no others", async () => {
    const [ours, own, other] = [createAuthority('ours'), createAuthority("Node's"), createAuthority('other')]
    setDefaultCACertificates([own.certificate])
    using clients = new TrustedClients()
    await using first = await serve(ours)
    await using second = await serve(own)
    await using third = await serve(other)
    expect(await statusOf(first.url, clients, ours.certificate)).toBe(200)
    expect(await statusOf(second.url, clients, ours.certificate)).toBe(200)
    await expect(statusOf(third.url, clients, ours.certificate)).rejects.toThrow(/certificate/)
  })

  it.each([
    ['a blank before it', (ours: string) => ` ${ours}`],
    ['text before it', (ours: string) => `ours: ${ours}`],
    ['another before it on its line', (ours: string, other: string) => `${other.trimEnd()}${ours}`],
  ])('decisions 3.46: trust each certificate that was taken, with %s', async (_case, text) => {
    const [ours, other] = [createAuthority('ours'), createAuthority('other')]
    setDefaultCACertificates([])
    using clients = new TrustedClients()
    await using server = await serve(ours)
    const caCerts = text(ours.certificate, other.certificate)
    expect(checkCaCerts(caCerts)).toBeUndefined()
    expect(await statusOf(server.url, clients, caCerts)).toBe(200)
  })

  it('resume the session of a connection before, and open a new one where that is forgotten', async () => {
    const ours = createAuthority('ours')
    setDefaultCACertificates([])
    using clients = new TrustedClients()
    await using server = await serve(ours)
    const answered = async () => expect(await statusOf(server.url, clients, ours.certificate)).toBe(200)
    await answered()
    await answered()
    server.forget()
    await answered()
    await answered()
    expect(server.resumed).toEqual([false, true, false, true])
  })

  it('are kept, at most 32 of them', () => {
    setDefaultCACertificates([])
    using clients = new TrustedClients()
    const certificates = Array.from({ length: 33 }, (_, index) => createAuthority(`CA ${index}`).certificate)
    const [first = '', second = '', ...others] = certificates
    const [agent, unused] = [clients.of(first), clients.of(second)]
    for (const certificate of others.slice(0, -1)) clients.of(certificate)
    expect(clients.of(first)).toBe(agent)
    clients.of(others.at(-1) ?? '')
    expect(clients.of(first)).toBe(agent)
    expect(clients.of(second)).not.toBe(unused)
  })
})
