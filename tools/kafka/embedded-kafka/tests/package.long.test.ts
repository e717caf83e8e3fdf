import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readLines } from '@taproom/core/lines'
import { run, startNode } from '@taproom/processes'
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeBlocks } from './code-blocks.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What a machine without this repository has: its own Node and npm, and none of pnpm's settings. */
const PLAIN_ENV = {
  HOME: process.env['HOME'],
  PATH: (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules') && !folder.includes('pnpm'))
    .join(delimiter),
}

let folder: string

async function runAsUser(command: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(command, args, { cwd: folder, env: PLAIN_ENV })
  return stdout
}

async function topicsAt(port: number): Promise<readonly string[]> {
  const client = new Kafka({ brokers: [`127.0.0.1:${port}`], logLevel: logLevel.NOTHING, retry: { retries: 0 } })
  const admin = client.admin()
  await admin.connect()
  try {
    const { topics } = await admin.fetchTopicMetadata()
    return topics.map(({ name, partitions }) => `${name}:${partitions.length}`)
  } finally {
    await admin.disconnect()
  }
}

describe('the package, packed and installed by npm alone', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-kafka-package-'))
    // Its types come from those of other workspaces, so they are built first.
    await run('pnpm', ['--filter', '@taproom/embedded-kafka...', 'run', 'build'], { cwd: ROOT })
    const pnpmfile = join(ROOT, '../../release/scripts/pnpmfile.mjs')
    await run('pnpm', [`--config.pnpmfile=${pnpmfile}`, 'pack', '--pack-destination', folder], { cwd: ROOT })
    const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }))
    await runAsUser('npm', 'install', '--offline', '--no-audit', '--no-fund', join(folder, tarball))
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('decisions 3.64: brings no dependencies, and no sources', async () => {
    const { dependencies } = JSON.parse(await runAsUser('npm', 'ls', '--all', '--json'))
    expect(Object.keys(dependencies)).toEqual(['@taproom/embedded-kafka'])
    // The optional peer, which is not installed.
    expect(dependencies['@taproom/embedded-kafka'].dependencies).toEqual({ '@taproom/schema-registry': {} })
    const inside = await readdir(join(folder, 'node_modules/@taproom/embedded-kafka'))
    expect(inside.sort()).toEqual(['LICENSE', 'README.md', 'dist', 'docs', 'package.json'])
  })

  it('ends with 0 on SIGTERM', async () => {
    await using child = startNode({
      name: 'embedded-kafka',
      command: [join(folder, 'node_modules/.bin/embedded-kafka')],
      args: ['--port', '0'],
      env: PLAIN_ENV,
    })
    await child.ready
    expect(await child.stop(600_000)).toEqual({ code: 0, signal: null })
  })

  // npx passes no signals on, and may be killed: what it started has to end all the same.
  it('runs by npx, with a topic, and ends when its stdin closes', async () => {
    const args = ['embedded-kafka', '--port', '0', '--topic', 'beers:3', '--exit-on-stdin-close']
    const child = spawn('npx', args, { cwd: folder, env: PLAIN_ENV, stdio: ['pipe', 'pipe', 'inherit'] })
    const closed = once(child, 'close')
    const ready = Promise.withResolvers<{ port: number }>()
    void readLines(child.stdout, (line) => ready.resolve(JSON.parse(line)))
    const { port } = await ready.promise
    expect(await topicsAt(port)).toEqual(['beers:3'])
    child.stdin.end()
    expect(await closed).toEqual([0, null])
    await expect(topicsAt(port)).rejects.toThrow()
  })

  it('tells its version and its options', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    expect(await runAsUser('npx', 'embedded-kafka', '--version')).toBe(`${version}\n`)
    expect(await runAsUser('npx', 'embedded-kafka', '--help')).toContain('--topic NAME[:PARTITIONS]')
  })

  it('decisions 3.64: names the package that a schema registry needs', async () => {
    const main = join(folder, 'node_modules/@taproom/embedded-kafka/dist/main.js')
    const started = runAsUser(process.execPath, main, '--port', '0', '--schema-registry', '0')
    await expect(started).rejects.toThrow('--schema-registry needs the package @taproom/schema-registry')
  })

  it('is imported by plain Node, as in the README', async () => {
    const [example = ''] = codeBlocks('README.md', 'js')
    const container = `import { KafkaContainer } from '@taproom/embedded-kafka/testcontainers'
      const container = await new KafkaContainer().start()
      await container.stop()`
    await writeFile(join(folder, 'example.js'), `${example}\n${container}\nconsole.log('done')\n`)
    // The client of the example is the user's own.
    const kafkajs = dirname(createRequire(import.meta.url).resolve('kafkajs/package.json'))
    await symlink(kafkajs, join(folder, 'node_modules/kafkajs'))
    expect(await runAsUser('node', 'example.js')).toMatch(/done\n$/)
  })

  it('has types that a strict compiler takes whole', async () => {
    const source = `
      import { type EmbeddedKafka, OptionError, startEmbeddedKafka } from '@taproom/embedded-kafka'
      import { KafkaContainer } from '@taproom/embedded-kafka/testcontainers'
      export const start = () => new KafkaContainer('confluentinc/cp-kafka:7.9.1').withExposedPorts(9093).start()
      export async function run(): Promise<number> {
        await using broker: EmbeddedKafka = await startEmbeddedKafka({ topics: ['a', { name: 'b', partitions: 2 }] })
        // @ts-expect-error a topic has a name
        await startEmbeddedKafka({ topics: [{ partitions: 2 }] }).catch((error) => error instanceof OptionError)
        return broker.port
      }`
    await writeFile(join(folder, 'user.ts'), source)
    const require = createRequire(import.meta.url)
    await mkdir(join(folder, 'node_modules/@types'))
    await symlink(dirname(require.resolve('@types/node/package.json')), join(folder, 'node_modules/@types/node'))
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', 'node']
    await run('pnpm', ['exec', 'tsc', '--ignoreConfig', ...options, join(folder, 'user.ts')], { cwd: ROOT })
  })
})
