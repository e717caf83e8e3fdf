import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startHttpServer, waitFor } from '@taproom/testkit'
import { goSuite } from '../go-suite.ts'
import { APACHE_VERSION } from '../java.ts'
import { needProgram } from '../program.ts'
import { startProgram } from '../running-program.ts'
import type { Suite, SuiteRun } from '../suite.ts'

const BROKERS = 5
/** After the first port: where Toxiproxy listens for the first broker, and where it is controlled. */
const [PROXIES, CONTROL] = [BROKERS, 2 * BROKERS]
const toxiproxyUrl = (port: number) => `http://127.0.0.1:${port + CONTROL}`
const BUILD_MS = 600_000

const { prepare, run, ...suite } = goSuite({
  name: 'sarama',
  module: 'github.com/IBM/sarama',
  version: 'v1.61.1',
  package: '.',
  flags: ['-tags=functional'],
  tests: functionalTests,
  // The tests add the number of the broker, from 1 on.
  ports: { 29090: PROXIES - 1 },
  env: ({ port }) => ({ TOXIPROXY_ADDR: toxiproxyUrl(port), KAFKA_VERSION: APACHE_VERSION }),
  needs: (port) => ({
    brokers: BROKERS,
    hasRacks: true,
    listeners: `PLAINTEXT://localhost:${port}`,
    advertisedListeners: `PLAINTEXT://localhost:${port + PROXIES}`,
    autoCreateTopics: false,
  }),
})

/** All others are without a broker. */
async function functionalTests(folder: string): Promise<readonly string[]> {
  const files = (await readdir(folder)).filter((name) => /^functional_.*_test\.go$/.test(name))
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.flatMap((text) => [...text.matchAll(/^func (Test\w+)\(t /gm)].map(([, name = '']) => name))
}

async function startToxiproxy({ folder, log, port }: SuiteRun) {
  const proxies = Array.from({ length: BROKERS }, (_, index) => ({
    name: `kafka${index + 1}`,
    listen: `localhost:${port + PROXIES + index}`,
    upstream: `localhost:${port + index}`,
    enabled: true,
  }))
  const config = join(folder, 'toxiproxy.json')
  await writeFile(config, JSON.stringify(proxies))
  const toxiproxy = await startProgram(
    join(folder, 'bin', 'server'),
    ['-port', String(port + CONTROL), '-config', config],
    { cwd: folder, log },
  )
  await waitFor('Toxiproxy', async () => (await fetch(`${toxiproxyUrl(port)}/proxies`)).ok)
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
  async prepare(folder, port) {
    await prepare(folder, port)
    const toxiproxy = 'github.com/Shopify/toxiproxy/v2/cmd/server@v2.12.0'
    const env = { GOFLAGS: '-mod=mod', GOBIN: join(folder, 'bin') }
    await needProgram('go', ['install', toxiproxy], { env, timeoutMs: BUILD_MS })
  },
  async run(of) {
    await using _docker = await serveDocker(of)
    await using _toxiproxy = await startToxiproxy(of)
    return await run(of)
  },
}
