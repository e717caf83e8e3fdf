import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { createDevIssuer } from '@taproom/jwt/testing'
import { eventually, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentedCommands } from '../src/cluster/documented.ts'
import { type Answer, closeConnections, getByHttps } from '../src/cluster/https-client.ts'
import { steadily } from '../src/cluster/load/steady.ts'
import { DOMAIN, OUTSIDE, type Outside, startOutside } from '../src/cluster/outside.ts'
import { REPOSITORY } from '../src/harness/apps.ts'
import { gatewayUrl, inTaproom, kubectl, podsOf, rolledOut, shell } from '../src/harness/kubectl.ts'

const page = await readFile(new URL('deploy/cluster.md', REPOSITORY), 'utf8')
const ownAuthority = documentedCommands(page, '### HTTPS with an authority of your own')
const oneService = documentedCommands(page, '## One service alone')
const isOfRelease = (line: string) => /migration|overlays\/production$/.test(line)
const lines = documentedCommands(page, '## Production').filter((line) => !ownAuthority.includes(line))

/** Where the lines of the page are run: it has a copy of `deploy`, changed as the page says, and the files that the lines name. */
const FOLDER = fileURLToPath(new URL('.taproom/cluster/production/', REPOSITORY))
const OVERLAY = `${FOLDER}deploy/kubernetes/overlays/production/kustomization.yaml`
const HOST = 'taproom.example.com'
const ISSUER = `https://identity.${DOMAIN}/realms/taproom`
/** Where there is one, images of the version before have the tag `previous`. */
const PREVIOUS = process.env['CLUSTER_PREVIOUS']
const APPS = ['beer-generator', 'beer-stream', 'claim-api', 'movie-api', 'price-generator']

const issuer = await createDevIssuer({ issuer: ISSUER, kid: 'outside' })
let outside: Outside
let address: string
let token: string

/** Asks the Gateway by HTTPS. */
const ask = (path: string, asked?: Parameters<typeof getByHttps>[2]) =>
  getByHttps({ address, host: HOST, ca: outside.authority.certificate }, path, asked)

const bearer = (signed: string) => ({ headers: { authorization: `Bearer ${signed}` } })

async function follow(commands: readonly string[]): Promise<void> {
  for (const line of commands) await shell(line, FOLDER)
}

async function change(file: string, ...changes: readonly (readonly [from: string, to: string])[]): Promise<void> {
  let text = await readFile(file, 'utf8')
  for (const [from, to] of changes) {
    expect(text).toContain(from)
    text = text.replaceAll(from, to)
  }
  await writeFile(file, text)
}

async function imagesOf(app: string): Promise<readonly string[]> {
  const path = 'jsonpath={.items[*].spec.containers[*].image}'
  const images = await inTaproom('get', 'pods', '--selector', `app.kubernetes.io/name=${app}`, '-o', path)
  return [...new Set(images.split(' '))]
}

/** Pods of all apps, by name. */
async function pods(): Promise<readonly string[]> {
  return (await podsOf('taproom', 'taproom.dev/app=true')).toSorted()
}

/** The serial number of the Gateway's certificate. */
function serialNumber(): Promise<string> {
  const ca = [outside.authority.certificate]
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port: 443, servername: HOST, ca }, () => {
      resolve(socket.getPeerCertificate().serialNumber)
      socket.destroy()
    })
    socket.once('error', reject)
  })
}

/** The pods of the Gateway's proxies, and how often each was started again. */
async function restartsOfProxies(): Promise<string> {
  const range = '{range .items[*]}{.metadata.name} {.status.containerStatuses[*].restartCount} {end}'
  const owner = 'gateway.envoyproxy.io/owning-gateway-name=taproom'
  return kubectl(['-n', 'envoy-gateway-system', 'get', 'pods', '--selector', owner, '-o', `jsonpath=${range}`])
}

async function writeCertificate(): Promise<void> {
  const { certificate, key } = outside.authority.issue({ names: [HOST] })
  await Promise.all([writeFile(`${FOLDER}tls.crt`, certificate), writeFile(`${FOLDER}tls.key`, key)])
}

beforeAll(async () => {
  await kubectl(['delete', 'namespace', 'taproom', OUTSIDE, '--ignore-not-found', '--timeout=180s'])
  outside = await startOutside(issuer)
  await rm(FOLDER, { recursive: true, force: true })
  await mkdir(FOLDER, { recursive: true })
  await cp(fileURLToPath(new URL('deploy', REPOSITORY)), `${FOLDER}deploy`, { recursive: true })
  await change(
    OVERLAY,
    ['identity.example.com', `identity.${DOMAIN}`],
    ['beers.example.com', `beers.${DOMAIN}`],
    ['  # end of generated\nlabels', '  # end of generated\n  - ../../components/own-authority\nlabels'],
    [
      '      - HTTP_RATE_LIMIT=20\n      - HTTP_RATE_LIMIT_BURST=100\n',
      `$&      - FILM_SERVICE_URL=https://films.${DOMAIN}/api\n`,
    ],
  )
  for (const [name, text] of Object.entries(outside.files)) await writeFile(`${FOLDER}${name}`, text)
  await writeCertificate()
  const once = lines.filter((line) => !isOfRelease(line))
  // As the page says of a Kafka whose certificates are of an authority of one's own.
  await follow(once.map((line) => line.replace('--from-file=sasl', '--from-literal=ssl-ca-location=/kafka/ca.crt $&')))
  await follow([...ownAuthority, ...lines.filter(isOfRelease)])
  await rolledOut(...APPS)
  address = new URL(await gatewayUrl()).host
  token = await issuer.sign()
  await waitFor('the Gateway', async () => (await ask('/movie').catch(() => undefined))?.status === 200, {
    timeoutMs: 60_000,
    intervalMs: 500,
  })
})

afterAll(async () => {
  closeConnections()
  await kubectl(['delete', 'namespace', 'taproom', OUTSIDE, '--ignore-not-found', '--timeout=180s'])
})

describe('production, by the lines of cluster.md', () => {
  it('all pods are Ready, two of each but for beer-generator, of the images that it names', async () => {
    const range = '{range .items[*]}{.metadata.name}={.status.readyReplicas}/{.spec.replicas} {end}'
    const ready = async () =>
      (await inTaproom('get', 'deployments', '-o', `jsonpath=${range}`)).trim().split(' ').toSorted()
    // Autoscalers start the second one of theirs.
    const all = APPS.map((name) => `${name}=${name === 'beer-generator' ? '1/1' : '2/2'}`)
    await eventually(async () => expect(await ready()).toEqual(all), { timeoutMs: 180_000, intervalMs: 1000 })
    for (const app of APPS) expect(await imagesOf(app)).toEqual([`registry.example.com/taproom/${app}:0.1.0`])
  })

  it("takes tokens of the issuer's for this system, and no others", async () => {
    const taken = await ask('/secure/claim', bearer(token))
    expect(taken).toMatchObject({ status: 200 })
    expect(taken.headers['strict-transport-security']).toBe('max-age=31536000')
    const stranger = await createDevIssuer({ issuer: ISSUER, kid: 'outside' })
    const others = [issuer.sign({ aud: 'another' }), issuer.sign({ iss: 'https://other.example.com' }), stranger.sign()]
    for (const other of await Promise.all(others))
      expect(await ask('/secure/claim', bearer(other))).toMatchObject({ status: 401 })
  })

  it('has films, from the database and over HTTPS', async () => {
    const { status, body } = await ask('/movie')
    expect(status).toBe(200)
    const films: readonly { readonly producer: string }[] = JSON.parse(body)
    expect(films).toHaveLength(6)
    // The fallback has none.
    expect(films.filter(({ producer }) => producer === '')).toEqual([])
  })

  it('streams beers that went through a Kafka with TLS and SCRAM', async () => {
    const beers = (text: string) =>
      [...text.matchAll(/^id: \S+\ndata: (.*)\n\n/gm)].map(([, data = '']) => JSON.parse(data))
    const { status, body } = await ask('/beer', { until: (text) => beers(text).length > 1 })
    expect(status).toBe(200)
    const beer = { name: expect.any(String), price: expect.any(Number) }
    expect(beers(body)).toEqual([beer, beer])
  })

  it('has no route to health and descriptions, none for other names, and nothing without TLS', async () => {
    for (const path of ['/q/health', '/q/openapi', '/q/metrics']) expect(await ask(path)).toMatchObject({ status: 404 })
    expect(await ask('/movie', { headers: { host: 'other.example.com' } })).toMatchObject({ status: 404 })
    await expect(fetch(`http://${address}/movie`, { signal: AbortSignal.timeout(5000) })).rejects.toThrow()
  })

  it('refuses a client that asks for too much', async () => {
    let refused: Answer | undefined
    for (let asked = 0; refused === undefined && asked < 10_000; asked += 500) {
      const answers = await Promise.all(Array.from({ length: 500 }, () => ask('/secure/claim', bearer(token))))
      refused = answers.find(({ status }) => status !== 200)
    }
    expect(refused?.status).toBe(429)
    expect(refused?.headers).toMatchObject({ 'content-type': 'application/problem+json' })
    expect(refused?.headers['retry-after']).toMatch(/^[0-9]+$/)
  })

  it('the same release again replaces no pod', async () => {
    const before = await pods()
    await follow(lines.filter(isOfRelease))
    await rolledOut(...APPS)
    expect(await pods()).toEqual(before)
  })

  it.skipIf(PREVIOUS === undefined)(
    'one service alone gets another version and goes back, without a failed request',
    async () => {
      const others = async () => (await pods()).filter((name) => !name.startsWith('claim-api'))
      const before = await others()
      const failures: string[] = []
      await using asking = steadily(5, async () => {
        const { status } = await ask('/secure/claim', bearer(token)).catch((error: Error) => ({
          status: error.message,
        }))
        if (status !== 200) failures.push(String(status))
      })
      const [image, tag] = ['registry.example.com/taproom/claim-api', 'newTag: 0.1.0']
      await change(OVERLAY, [`newName: ${image}\n    ${tag}`, `newName: ${image}\n    newTag: previous`])
      const [apply = '', status = '', undo = ''] = oneService
      await follow([apply, status])
      await rolledOut('claim-api')
      expect(await imagesOf('claim-api')).toEqual([`${image}:previous`])
      await follow([undo, status])
      await rolledOut('claim-api')
      expect(await imagesOf('claim-api')).toEqual([`${image}:0.1.0`])
      await asking[Symbol.asyncDispose]()
      expect(failures).toEqual([])
      expect(await others()).toEqual(before)
    },
  )

  it('a renewed certificate is taken by the Gateway without a restart', async () => {
    const [before, proxies] = [await serialNumber(), await restartsOfProxies()]
    await writeCertificate()
    const [line = ''] = lines.filter((command) => command.includes('taproom-tls'))
    await follow([`${line} --dry-run=client -o yaml | kubectl replace -f -`])
    await eventually(async () => expect(await serialNumber()).not.toBe(before), {
      timeoutMs: 120_000,
      intervalMs: 1000,
    })
    expect(await ask('/movie')).toMatchObject({ status: 200 })
    expect(await restartsOfProxies()).toBe(proxies)
  })
})
