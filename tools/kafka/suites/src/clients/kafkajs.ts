import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAuthority } from '@taproom/testkit'
import { type BrokerNeeds, LENIENT_ACLS, plainUsers } from '../broker-kind.ts'
import { cloneTag } from '../git-source.ts'
import { replacePorts, type WrittenPorts } from '../ports.ts'
import { needProgram, runProgram } from '../program.ts'
import { LeftOutError, type Outcome, type Outcomes, type Suite } from '../suite.ts'

const VERSION = 'v2.2.4'
const INSTALL_MS = 600_000
const RUN_MS = 45 * 60_000

/**
 * Each of its brokers has three ports in a row; here each listener has. Its topics have two replicas, its brokers are those of its
 * docker-compose.
 */
const PORTS: WrittenPorts = {
  9092: 0,
  9095: 1,
  9098: 2,
  9093: 3,
  9096: 4,
  9099: 5,
  9094: 6,
  9097: 7,
  9100: 8,
}

/** In place of a script that runs a tool in a container. */
const addPartitions = (port: number) => `#!/usr/bin/env node
const { Kafka } = require('../index')
const admin = new Kafka({ brokers: ['localhost:${port}'] }).admin()
const { TOPIC: topic, PARTITIONS: count } = process.env
admin
  .connect()
  .then(() => admin.createPartitions({ topicPartitions: [{ topic, count: Number(count) }] }))
  .finally(() => admin.disconnect())
`

/** The brokers that the tests expect. */
function needs(port: number): BrokerNeeds {
  const { key, certificate } = createAuthority().issue({ names: ['localhost'] })
  return {
    brokers: 3,
    listeners: `PLAINTEXT://localhost:${port},SSL://localhost:${port + 3},SASL_SSL://localhost:${port + 6}`,
    defaultPartitions: 2,
    security: {
      'ssl.keystore.type': 'PEM',
      'ssl.keystore.key': key,
      'ssl.keystore.certificate.chain': certificate,
      'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
      ...plainUsers('sasl_ssl', { test: 'testtest', bob: 'bobbob', alice: 'alicealice' }),
      ...LENIENT_ACLS,
    },
    scramUsers: [
      'SCRAM-SHA-256=[name=testscram,password=testtestscram=256]',
      'SCRAM-SHA-512=[name=testscram,password=testtestscram=512]',
    ],
  }
}

async function adapt(folder: string, first: number): Promise<void> {
  const specs = (await readdir(join(folder, 'src'), { recursive: true })).filter(
    (path) => path.endsWith('.spec.js') && !path.startsWith('protocol'),
  )
  const files = ['testHelpers/index.js', ...specs.map((spec) => join('src', spec))]
  await replacePorts(folder, files, { ports: PORTS, first })
  await writeFile(join(folder, 'scripts', 'addPartitions.sh'), addPartitions(first))
}

interface JestFile {
  readonly name: string
  readonly status: string
  readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
}

const OUTCOMES: Readonly<Record<string, Outcome>> = { passed: 'passed', pending: 'skipped', todo: 'skipped' }

/** Reads the report of `jest --json`: outcomes by file and full name of the test; a file that fails without a test has failed itself. */
export function jestOutcomes(report: string, folder: string): Outcomes {
  const { testResults } = JSON.parse(report) as { testResults: readonly JestFile[] }
  return new Map(
    testResults.flatMap(({ name, status: ofFile, assertionResults }) => {
      const file = name.slice(folder.length + 1)
      if (assertionResults.length === 0 && ofFile === 'failed') return [[`${file}: the file`, 'failed']]
      return assertionResults.map(({ fullName, status }): [string, Outcome] => [
        `${file}: ${fullName}`,
        OUTCOMES[status] ?? 'failed',
      ])
    }),
  )
}

const fileOf = (test: string) => test.slice(0, test.indexOf(': '))

/** kafkajs' own tests, without those of its protocol, which need no broker. */
export const KAFKAJS: Suite = {
  name: 'kafkajs',
  version: VERSION,
  needs: (_folder, port) => needs(port),
  async prepare(folder, port) {
    await cloneTag('tulios/kafkajs', VERSION, folder)
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps']
    await needProgram('npm', install, { cwd: folder, timeoutMs: INSTALL_MS })
    await adapt(folder, port)
  },
  async run({ folder, only, log }) {
    const report = join(folder, 'report.json')
    const files = only === undefined ? ['--testPathIgnorePatterns', '/src/protocol/'] : new Set(only.map(fileOf))
    const args = ['jest', '--ci', '--runInBand', '--forceExit', '--json', `--outputFile=${report}`, ...files]
    const env = { KAFKA_VERSION: '2.4', KAFKAJS_DEBUG_PROTOCOL_BUFFERS: '1', NODE_ENV: 'test' }
    const { stdout, stderr } = await runProgram('npx', ['--no-install', ...args], {
      cwd: folder,
      env,
      log,
      timeoutMs: RUN_MS,
    })
    const written = await readFile(report, 'utf8').catch(() => undefined)
    if (written === undefined) throw new LeftOutError(`no test ran: ${`${stdout}${stderr}`.trim().split('\n').at(-1)}`)
    return jestOutcomes(written, folder)
  },
}
