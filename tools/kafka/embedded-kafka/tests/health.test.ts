import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { startEmbeddedKafka } from '../src/index.ts'
import { makeCertificates } from './openssl.ts'

async function healthWith(env: Readonly<Record<string, string>>): Promise<number> {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const args = ['--conditions=development', main, '--health']
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: 'ignore' })
  const [code] = await once(child, 'close')
  return code
}

it('--health asks the first listener for clients', async () => {
  const broker = await startEmbeddedKafka()
  const { port } = broker
  const besideController = {
    KAFKA_LISTENERS: `CONTROLLER://:1, PLAINTEXT://localhost:${port}`,
    KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
  }
  const derived = { KAFKA_ADVERTISED_LISTENERS: `A://kafka:${port},B://localhost:1`, KAFKA_HOST: '0.0.0.0' }
  const map = { KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'A:PLAINTEXT,B:PLAINTEXT' }
  try {
    expect(await healthWith({ KAFKA_PORT: String(port) })).toBe(0)
    expect(await healthWith(besideController)).toBe(0)
    expect(await healthWith({ ...derived, ...map })).toBe(0)
  } finally {
    await broker.close()
  }
  expect(await healthWith({ KAFKA_PORT: String(port) })).toBe(1)
})

it('--health ends with 1 when what listens there is not a broker', async () => {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  try {
    expect(await healthWith({ KAFKA_PORT: String(port) })).toBe(1)
  } finally {
    server.close()
  }
})

it('--health only connects to a listener with TLS', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-kafka-health-'))
  try {
    const { key, certificate } = makeCertificates(folder).issue('broker', '/CN=broker')
    const store = { 'ssl.keystore.type': 'PEM', 'ssl.keystore.key': key, 'ssl.keystore.certificate.chain': certificate }
    await using broker = await startEmbeddedKafka({ listeners: 'SSL://127.0.0.1:0', properties: store })
    const env = {
      KAFKA_LISTENERS: `SSL://127.0.0.1:${broker.port},PLAINTEXT://:1`,
      KAFKA_SSL_KEYSTORE_TYPE: 'PEM',
      KAFKA_SSL_KEYSTORE_KEY: key,
      KAFKA_SSL_KEYSTORE_CERTIFICATE_CHAIN: certificate,
    }
    expect(await healthWith(env)).toBe(0)
  } finally {
    await rm(folder, { recursive: true })
  }
})
