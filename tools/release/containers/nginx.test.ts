import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuthority, LONGEST_WAIT_MS, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { docker, inspect, logLines } from './docker.ts'

/** The configuration of deploy/tls.md. */
const page = await readFile(new URL('../../../deploy/tls.md', import.meta.url), 'utf8')
const [, shown = ''] = /^```nginx\n([\s\S]*?)^```$/m.exec(page) ?? []

const authority = createAuthority()
const network = `taproom-nginx-${randomUUID()}`
let folder: string
let gateway: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproom-nginx-'))
  // Containers have users of their own.
  await chmod(folder, 0o755)
  const front = authority.issue({ names: ['localhost'] })
  const own = authority.issue({ names: ['claim-api'] })
  const strange = createAuthority().issue({ names: ['claim-api'] })
  const misnamed = authority.issue({ names: ['movie-api'] })
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' })
  const files: Readonly<Record<string, string>> = {
    'nginx.conf': `events {}\nhttp {\naccess_log off;\n${shown}}\n`,
    'ca.crt': authority.certificate,
    'tls.crt': front.certificate,
    'tls.key': front.key,
    'own.crt': own.certificate,
    'own.key': own.key,
    'strange.crt': strange.certificate,
    'strange.key': strange.key,
    'misnamed.crt': misnamed.certificate,
    'misnamed.key': misnamed.key,
    'public-key.pem': String(key),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await docker('network', 'create', network)
  gateway = await docker('network', 'inspect', network, '--format', '{{(index .IPAM.Config 0).Gateway}}')
})

afterAll(async () => {
  // None is left, unless a test took too long.
  const left = await docker('ps', '--all', '--quiet', '--filter', `network=${network}`)
  if (left !== '') await docker('rm', '--force', ...left.split('\n'))
  await docker('network', 'rm', network)
  await rm(folder, { recursive: true })
})

/** A container in the network of this test, under a name there. */
async function startContainer(name: string, ...args: readonly string[]) {
  const id = await docker(
    ...['run', '--detach', '--network', network, '--network-alias', name, '--volume', `${folder}:/tls:ro`],
    ...args,
  )
  return { id, [Symbol.asyncDispose]: async () => void (await docker('rm', '--force', id)) }
}

/** claim-api with TLS of its own, healthy by the health check of its image. */
async function startClaimApi(certificate: string, env: Readonly<Record<string, string>> = {}) {
  const variables = {
    PORT: '8443',
    HTTP_SSL_CERTIFICATE_LOCATION: `/tls/${certificate}.crt`,
    HTTP_SSL_KEY_LOCATION: `/tls/${certificate}.key`,
    HTTP_TRUSTED_PROXIES: '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16',
    HTTP_KEEP_ALIVE_TIMEOUT_MS: '75000',
    MP_JWT_VERIFY_PUBLICKEY_LOCATION: '/tls/public-key.pem',
    MP_JWT_VERIFY_ISSUER: 'https://issuer.taproom.example',
    ...env,
  }
  const given = Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const container = await startContainer('claim-api', '--read-only', ...given, 'claim-api:development')
  await waitFor(
    'claim-api to be healthy',
    async () => {
      const [state] = await inspect([container.id])
      return state?.State.Health?.Status === 'healthy'
    },
    { intervalMs: 250 },
  )
  return container
}

/** nginx with the configuration of deploy/tls.md, and the port where it is reached. */
async function startNginx() {
  const image = process.env['NGINX_IMAGE'] ?? 'nginx:1.22'
  const command = ['nginx', '-c', '/tls/nginx.conf', '-g', 'daemon off; error_log stderr;']
  const container = await startContainer('nginx', '--publish', '127.0.0.1::443', '--entrypoint', '', image, ...command)
  const port = Number((await docker('port', container.id, '443')).split(':').at(-1))
  await waitFor('nginx to listen', async () => (await ask(port)).statusCode !== undefined)
  return { ...container, port }
}

interface Asked {
  readonly headers?: Readonly<Record<string, string>>
  /** The beginning of a body that does not end. */
  readonly body?: string
}

/** The head of an answer at `/secure/claim`; its body may follow. */
function ask(port: number, { headers, body }: Asked = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        ...{ host: 'localhost', port, path: '/secure/claim', ca: authority.certificate, agent: false },
        ...(headers && { headers }),
        method: body === undefined ? 'GET' : 'POST',
        signal: AbortSignal.timeout(LONGEST_WAIT_MS),
      },
      resolve,
    )
    asked.on('error', reject)
    if (body === undefined) asked.end()
    else asked.write(body)
  })
}

/** Answers what it was told in the headers, before the request has ended, and does not end its answer. */
const ECHO = `require('node:https').createServer(
  { cert: fs.readFileSync('/tls/own.crt'), key: fs.readFileSync('/tls/own.key') },
  (req, res) => res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(JSON.stringify(req.headers)),
).listen(8443)`

const FORGED = {
  'X-Forwarded-For': '198.51.100.9',
  'X-Forwarded-Proto': 'http',
  'X-Forwarded-Host': 'evil',
  Forwarded: 'for=198.51.100.9',
}

describe('nginx with TLS, as in deploy/tls.md', () => {
  it('decisions 3.54: verifies the service behind it, which learns the address of the client', async () => {
    await using service = await startClaimApi('own', { MANAGEMENT_PORT: '9000' })
    await using nginx = await startNginx()
    const refused = await ask(nginx.port, { headers: { ...FORGED, Authorization: 'Bearer none' } })
    expect(refused.statusCode).toBe(401)
    expect(refused.headers['www-authenticate']).toContain('invalid_token')
    expect(refused.headersDistinct['strict-transport-security']).toEqual(['max-age=31536000'])
    const clients = await waitFor('the refusal in the log', async () => {
      const found = (await logLines(service.id)).flatMap(({ client }) => client ?? [])
      return found.length > 0 && found
    })
    expect(new Set(clients)).toEqual(new Set([gateway]))
  })

  it.each(['strange', 'misnamed'])('takes no service with a certificate that is %s', async (certificate) => {
    await using _service = await startClaimApi(certificate)
    await using nginx = await startNginx()
    expect((await ask(nginx.port)).statusCode).toBe(502)
  })

  it('tells the service what it saw itself, and passes bodies and streams on as they come', async () => {
    await using _service = await startContainer('claim-api', 'claim-api:development', '-e', ECHO)
    await using nginx = await startNginx()
    await waitFor('the service behind nginx to answer', async () => (await ask(nginx.port)).statusCode === 200)
    const answer = await ask(nginx.port, { headers: FORGED, body: 'half' })
    const [told] = (await answer[Symbol.asyncIterator]().next()).value.toString().split('\n')
    expect(JSON.parse(told)).toMatchObject({
      host: `localhost:${nginx.port}`,
      'x-forwarded-for': gateway,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': `localhost:${nginx.port}`,
    })
    expect(JSON.parse(told)).not.toHaveProperty('forwarded')
    answer.destroy()
  })
})
