import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { eventually } from '@taproom/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { trustedProxies } from '../src/index.ts'
import { createCertificate } from './certificate.ts'
import { request, start } from './raw-client.ts'

it('decisions 3.41, 3.45: connections of one client are counted over TLS as well, and those that end make room', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { cert, key } = createCertificate()
  const files = { certificateLocation: join(folder, 'tls.crt'), keyLocation: join(folder, 'tls.key') }
  writeFileSync(files.certificateLocation, cert)
  writeFileSync(files.keyLocation, key)
  const { port } = await start((_req, res) => void res.end('served'), {
    tls: { ...files, passphrase: undefined, reloadMs: 60_000 },
    trustedProxies: trustedProxies([]),
    maxConnectionsPerClient: 1,
  })
  const opened = async () => {
    const client = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    onTestFinished(() => void client.destroy())
    client.write(request('/'))
    await once(client, 'data')
    return client
  }
  const first = await opened()
  await expect(opened()).rejects.toThrow()
  first.destroy()
  await eventually(() => opened())
})
