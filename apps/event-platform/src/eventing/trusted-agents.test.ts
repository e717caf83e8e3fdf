import { once } from 'node:events'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createAuthority, type TestAuthority } from '@taproom/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { checkCaCerts } from '../resources/ca-certs.ts'
import { TrustedAgents } from './trusted-agents.ts'

async function serve(authority: TestAuthority) {
  const { certificate: cert, key } = authority.issue({ names: ['127.0.0.1'] })
  const server = createServer({ cert, key }, (_req, res) => void res.end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, [Symbol.asyncDispose]: close }
}

async function statusOf(url: string, agents: TrustedAgents, caCerts: string): Promise<unknown> {
  const sent = request(url, { agent: agents.of(caCerts) }).end()
  const [response] = await once(sent, 'response')
  response.resume()
  return response.statusCode
}

describe('TrustedAgents', () => {
  const before = getCACertificates('default')
  afterAll(() => setDefaultCACertificates(before))

  it("decisions 3.46: trust their certificates beside Node's own, and no others", async () => {
    const [ours, own, other] = [createAuthority('ours'), createAuthority("Node's"), createAuthority('other')]
    setDefaultCACertificates([own.certificate])
    using agents = new TrustedAgents()
    await using first = await serve(ours)
    await using second = await serve(own)
    await using third = await serve(other)
    expect(await statusOf(first.url, agents, ours.certificate)).toBe(200)
    expect(await statusOf(second.url, agents, ours.certificate)).toBe(200)
    await expect(statusOf(third.url, agents, ours.certificate)).rejects.toThrow(/certificate/)
  })

  it.each([
    ['a blank before it', (ours: string) => ` ${ours}`],
    ['text before it', (ours: string) => `ours: ${ours}`],
    ['another before it on its line', (ours: string, other: string) => `${other.trimEnd()}${ours}`],
  ])('decisions 3.46: trust each certificate that was taken, with %s', async (_case, text) => {
    const [ours, other] = [createAuthority('ours'), createAuthority('other')]
    setDefaultCACertificates([])
    using agents = new TrustedAgents()
    await using server = await serve(ours)
    const caCerts = text(ours.certificate, other.certificate)
    expect(checkCaCerts(caCerts)).toBeUndefined()
    expect(await statusOf(server.url, agents, caCerts)).toBe(200)
  })

  it('are kept, at most 32 of them', () => {
    setDefaultCACertificates([])
    using agents = new TrustedAgents()
    const certificates = Array.from({ length: 33 }, (_, index) => createAuthority(`CA ${index}`).certificate)
    const [first = '', second = '', ...others] = certificates
    const [agent, unused] = [agents.of(first), agents.of(second)]
    for (const certificate of others.slice(0, -1)) agents.of(certificate)
    expect(agents.of(first)).toBe(agent)
    agents.of(others.at(-1) ?? '')
    expect(agents.of(first)).toBe(agent)
    expect(agents.of(second)).not.toBe(unused)
  })
})
