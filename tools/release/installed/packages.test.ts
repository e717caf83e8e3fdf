import { copyFile, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { publishedPackages, REPOSITORY, readWorkspace } from '../src/publish/published-packages.ts'
import { readTarball } from '../src/publish/tarball.ts'
import { run, runHere } from './plain-npm.ts'

const user = inject('user')
const packages = await publishedPackages()
const installed = (name: string) => join(user, 'node_modules', name)

async function entryPoints(): Promise<readonly string[]> {
  const names = packages.map(async ({ manifest: { name } }) => {
    const { manifest } = await readWorkspace(installed(name))
    const paths = Object.keys(manifest.exports ?? {}).filter((path) => path !== './package.json')
    return paths.map((path) => `${name}${path.slice(1)}`)
  })
  return (await Promise.all(names)).flat()
}

/** Messages through the broker, one of which only the corrected kafkajs takes for what it is. */
const CHANNELS = `
  import { startEmbeddedKafka } from '@taproom/embedded-kafka'
  import { createKafka, openIncoming, openOutgoing } from '@taproom/messaging'

  const log = { debug() {}, info() {}, warn: console.error, error: console.error }
  setTimeout(() => { throw new Error('the last message did not come within 300 s') }, 300_000).unref()
  const broker = await startEmbeddedKafka({ topics: ['beer'] })
  const kafka = createKafka({ clientId: 'user', bootstrapServers: broker.bootstrapServers, log })
  const seen = []
  const last = Promise.withResolvers()
  const incoming = openIncoming(kafka, {
    channel: 'beers', topic: 'beer', from: 'earliest', failureStrategy: 'ignore',
    onMessage({ value }) {
      seen.push(String(value))
      if (String(value) === 'last') last.resolve()
    },
  })
  await incoming.assigned
  const outgoing = openOutgoing(kafka, { channel: 'beers', topic: 'beer', timeoutMs: 90_000 })
  const headers = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => ['h' + i, '1']))
  await outgoing.send({ value: 'first' })
  await outgoing.send({ value: 'flooded', headers })
  await outgoing.send({ value: 'last' })
  await last.promise
  const { unreadable } = incoming.counters
  for (const part of [outgoing, incoming, broker]) await part[Symbol.asyncDispose]()
  console.log(JSON.stringify({ seen, unreadable }))`

/** What a user with a kafkajs of their own sees. */
const TWO = `
  import { KafkaJSError, KafkaJSNonRetriableError } from '@taproom/kafkajs'
  import own from 'kafkajs'
  console.log(JSON.stringify({
    isCorrected: new KafkaJSNonRetriableError('x') instanceof KafkaJSError,
    isOwn: new KafkaJSNonRetriableError('x') instanceof own.KafkaJSError,
    ownIsCorrected: 'KafkaJSCorruptDataError' in own,
  }))`

/** The command with its optional peer, which is installed beside it. */
const WITH_REGISTRY = `
  import { spawn } from 'node:child_process'
  import { once } from 'node:events'

  const main = 'node_modules/@taproom/embedded-kafka/dist/main.js'
  const args = ['--port', '0', '--schema-registry', '0', '--exit-on-stdin-close']
  const broker = spawn(process.execPath, [main, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = await once(broker.stdout, 'data')
  const { schemaRegistryPort } = JSON.parse(line)
  console.log(await (await fetch('http://127.0.0.1:' + schemaRegistryPort + '/schemas/types')).text())
  broker.stdin.end()
  await once(broker, 'close')`

/** Code as users write it, which the oldest compiler takes and Node runs as it is. */
const ROLES = `
  import { once } from 'node:events'
  import type { AddressInfo } from 'node:net'
  import { authenticate, type Caller, callerOf, createJwtVerifier, hasRole } from '@taproom/jwt'
  import { createDevIssuer } from '@taproom/jwt/testing'
  import express from 'express'

  const { publicKeyPem, issuer, sign } = await createDevIssuer()
  const verifier = await createJwtVerifier({ publicKey: publicKeyPem, issuers: [issuer] })
  const app = express()
  app.get('/', authenticate(verifier), (req, res) => {
    const caller: Caller | undefined = callerOf(req)
    res.json([hasRole(caller, 'Clerk'), hasRole(caller, 'Admin')])
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const headers = { Authorization: 'Bearer ' + (await sign({ groups: ['Clerk'] })) }
  const url = 'http://127.0.0.1:' + (server.address() as AddressInfo).port
  console.log(await (await fetch(url, { headers })).text())
  process.exit(0)`

describe.each([
  ['the oldest Node', inject('oldestNode')],
  ["the user's Node", inject('userNode')],
])('on %s, the packages installed by npm', (_name, node) => {
  const runModule = async (name: string, source: string) => {
    await writeFile(join(user, name), source)
    return await run(user, node, name)
  }

  it('can be imported, also where bundlers say that this is development', async () => {
    // What is called main runs a program.
    const libraries = (await entryPoints()).filter((name) => !name.endsWith('/main'))
    const imports = libraries.map((name) => `await import('${name}')`).join('\n')
    await writeFile(join(user, 'all.js'), `${imports}\nconsole.log('all')\n`)
    expect(await run(user, node, '--conditions=development', 'all.js')).toBe('all\n')
  })

  it('decisions 3.70: have the corrections of kafkajs', async () => {
    const result = JSON.parse(await runModule('channels.js', CHANNELS))
    expect(result).toEqual({ seen: ['first', 'last'], unreadable: 1 })
  })

  it('run what a user wrote in TypeScript', async () => {
    expect(JSON.parse(await runModule('roles.ts', ROLES))).toEqual([true, false])
  })

  it('decisions 3.179: start the broker with its schema registry', async () => {
    expect(JSON.parse(await runModule('with-registry.js', WITH_REGISTRY))).toEqual(['JSON', 'PROTOBUF', 'AVRO'])
  })

  it("decisions 3.70: leave a user's own kafkajs as it is", async () => {
    const result = JSON.parse(await runModule('two.js', TWO))
    expect(result).toEqual({ isCorrected: true, isOwn: false, ownIsCorrected: false })
  })
})

describe('decisions 3.71: a package', () => {
  it.each([
    ['our', 'false'],
    ['the oldest', 'false'],
    ['the oldest', 'true'],
  ])('has types that %s strict compiler takes whole, with skipLibCheck %s', async (which, skipLibCheck) => {
    const imports = (await entryPoints()).map((name, index) => `import * as m${index} from '${name}'\nvoid m${index}`)
    const files = [join(user, 'types.ts'), join(user, 'roles.ts')]
    for (const [index, text] of [imports.join('\n'), ROLES].entries()) await writeFile(files[index] ?? '', text)
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--lib', 'esnext']
    const args = [...options, '--types', 'node', '--skipLibCheck', skipLibCheck, ...files]
    if (which === 'our') await runHere('pnpm', 'exec', 'tsc', '--ignoreConfig', ...args)
    else await run(user, process.execPath, join(user, 'node_modules/typescript/bin/tsc'), ...args)
  })

  it('is there once, each with its licence', async () => {
    for (const { manifest } of packages) {
      expect(await readFile(join(installed(manifest.name), 'LICENSE'), 'utf8')).toContain('icense')
      expect((await readdir(installed(manifest.name))).includes('node_modules'), manifest.name).toBe(false)
    }
    expect(await readFile(join(installed('@taproom/kafkajs'), 'dist/kafkajs/LICENSE'), 'utf8')).toContain('MIT')
  })

  // Each costs npm a second and a half: those with a command, which npm may take for wrong, and one without.
  it('is taken by npm, all at one version and by no other', async () => {
    const [version = ''] = packages.map(({ manifest }) => manifest.version)
    const [plain] = packages.filter(({ manifest }) => manifest.bin === undefined)
    const some = [...packages.filter(({ manifest }) => manifest.bin !== undefined), ...(plain ? [plain] : [])]
    await using folder = await mkdtempDisposable(join(tmpdir(), 'some-packages-'))
    const tarballs = inject('tarballs')
    for (const file of await readdir(tarballs)) {
      const { path, manifest } = await readTarball(join(tarballs, file))
      expect(manifest.version, file).toBe(version)
      if (some.some(({ manifest: { name } }) => name === manifest.name)) await copyFile(path, join(folder.path, file))
    }
    const lines = (await publish(folder.path, version)).trim().split('\n').toSorted()
    expect(lines).toEqual(some.map(({ manifest: { name } }) => `${name}@${version} can be published`).toSorted())
    await expect(publish(tarballs, '0.0.1')).rejects.toThrow('not of version 0.0.1')
  })
})

async function publish(folder: string, version: string): Promise<string> {
  const script = join(REPOSITORY, 'tools/release/scripts/publish.ts')
  return await run(user, process.execPath, script, folder, '--version', version, '--dry-run')
}
