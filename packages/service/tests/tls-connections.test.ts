import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { eventually } from '@taproom/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { type ListenOptions, trustedProxies } from '../src/index.ts'
import { createCertificate } from './certificate.ts'
import { request, start } from './raw-client.ts'

async function startTls(options: Partial<ListenOptions>) {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { cert, key } = createCertificate()
  const files = { certificateLocation: join(folder, 'tls.crt'), keyLocation: join(folder, 'tls.key') }
  writeFileSync(files.certificateLocation, cert)
  writeFileSync(files.keyLocation, key)
  const tls = { ...files, passphrase: undefined, reloadMs: 60_000 }
  return await start((_req, res) => void res.end('served'), { tls, ...options })
}

function openTls(port: number) {
  const client = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  onTestFinished(() => void client.destroy())
  return client
}

it('decisions 1.75: a connection over TLS on which nothing was sent does not hold the end up', async () => {
  const server = await startTls({ drainMs: 3_600_000 })
  const spare = openTls(server.port)
  await once(spare, 'secureConnect')
  const ended = once(spare, 'close')
  const other = openTls(server.port)
  other.write(request('/'))
  await once(other, 'data')
  other.destroy()
  await server[Symbol.asyncDispose]()
  await ended
})

it('decisions 3.41, 3.45: connections of one client are counted over TLS as well, and those that end make room', async () => {
  const { port } = await startTls({ trustedProxies: trustedProxies([]), maxConnectionsPerClient: 1 })
  const opened = async () => {
    const client = openTls(port)
    client.write(request('/'))
    await once(client, 'data')
    return client
  }
  const first = await opened()
  await expect(opened()).rejects.toThrow()
  first.destroy()
  await eventually(() => opened())
})
