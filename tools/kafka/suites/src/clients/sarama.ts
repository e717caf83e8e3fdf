import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startHttpServer, waitFor } from '@taproom/testkit'
import { APACHE_VERSION } from '../apache-kafka.ts'
import { goSuite } from '../go-suite.ts'
import { needProgram } from '../program.ts'
import { startProgram } from '../running-program.ts'
import type { Suite, SuiteRun } from '../suite.ts'

const BROKERS = 5
const FIRST_PORT = 9092
/** Where the tests have Toxiproxy listen for the first broker. */
const FIRST_PROXY_PORT = 29_091
const TOXIPROXY = 'http://127.0.0.1:8474'
const BUILD_MS = 600_000

const { prepare, run, ...suite } = goSuite({
  name: 'sarama',
  module: 'github.com/IBM/sarama',
  version: 'v1.61.1',
  package: '.',
  flags: ['-tags=functional'],
  tests: functionalTests,
  env: () => ({ TOXIPROXY_ADDR: TOXIPROXY, KAFKA_VERSION: APACHE_VERSION }),
  needs: {
    brokers: BROKERS,
    hasRacks: true,
    listeners: `PLAINTEXT://localhost:${FIRST_PORT}`,
    advertisedListeners: `PLAINTEXT://localhost:${FIRST_PROXY_PORT}`,
    autoCreateTopics: false,
  },
})

/** All others are without a broker. */
async function functionalTests(folder: string): Promise<readonly string[]> {
  const files = (await readdir(folder)).filter((name) => /^functional_.*_test\.go$/.test(name))
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.flatMap((text) => [...text.matchAll(/^func (Test\w+)\(t /gm)].map(([, name = '']) => name))
}

async function startToxiproxy(folder: string, log: string) {
  const proxies = Array.from({ length: BROKERS }, (_, index) => ({
    name: `kafka${index + 1}`,
    listen: `localhost:${FIRST_PROXY_PORT + index}`,
    upstream: `localhost:${FIRST_PORT + index}`,
    enabled: true,
  }))
  const config = join(folder, 'toxiproxy.json')
  await writeFile(config, JSON.stringify(proxies))
  const toxiproxy = await startProgram(join(folder, 'bin', 'server'), ['-config', config], { cwd: folder, log })
  await waitFor('Toxiproxy', async () => (await fetch(`${TOXIPROXY}/proxies`)).ok)
  return toxiproxy
}

/** `docker compose stop kafka-2`, which tests do, for brokers that are in no such container. */
const dockerShim = (url: string) => `#!/usr/bin/env node
const [, action, service = ''] = process.argv.slice(2)
fetch('${url}/' + action + '/' + service.replace('kafka-', '')).then(({ ok }) => process.exit(ok ? 0 : 1))
`

async function serveDocker({ folder, brokers }: SuiteRun) {
  const server = await startHttpServer(async (request, response) => {
    const [, action, id] = /^\/(start|stop)\/(\d+)$/.exec(request.url ?? '') ?? []
    if (action === 'start') await brokers.start(Number(id))
    if (action === 'stop') await brokers.stop(Number(id))
    response.writeHead(action === undefined ? 404 : 200).end()
  })
  await writeFile(join(folder, 'bin', 'docker'), dockerShim(server.url), { mode: 0o755 })
  return server
}

/** sarama's functional tests, on five brokers behind Toxiproxy. */
export const SARAMA: Suite = {
  ...suite,
  async prepare(folder) {
    await prepare(folder)
    const toxiproxy = 'github.com/Shopify/toxiproxy/v2/cmd/server@v2.12.0'
    const env = { GOFLAGS: '-mod=mod', GOBIN: join(folder, 'bin') }
    await needProgram('go', ['install', toxiproxy], { env, timeoutMs: BUILD_MS })
  },
  async run(of) {
    await using _docker = await serveDocker(of)
    await using _toxiproxy = await startToxiproxy(of.folder, of.log)
    return await run(of)
  },
}
