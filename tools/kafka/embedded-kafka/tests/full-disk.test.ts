import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Kafka, logLevel } from 'kafkajs'
import { expect, it, onTestFinished } from 'vitest'
import { waitFor } from './consume.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const TOPIC = 'beers'
/** In blocks of 512 bytes: no file of the broker gets larger. */
const LARGEST_FILE = 400

interface Line {
  readonly level: string
  readonly msg: string
  readonly port?: number
  readonly file?: string
  readonly err?: string
}

/** The broker's command with a limit for files, which is to it what a full disk is. */
async function startLimited(dataDir: string) {
  const script = `trap '' XFSZ; ulimit -f ${LARGEST_FILE}; exec "$0" --conditions=development "$1" --exit-on-stdin-close`
  const env = { ...process.env, KAFKA_PORT: '0', KAFKA_DATA_DIR: dataDir, NODE_OPTIONS: '' }
  const child = spawn('sh', ['-c', script, process.execPath, MAIN], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  const lines: Line[] = []
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => lines.push(JSON.parse(line)))
  }
  await waitFor(() => lines.some(({ msg }) => msg === 'embedded-kafka ready'))
  const port = lines.find(({ msg }) => msg === 'embedded-kafka ready')?.port
  return { bootstrapServers: `127.0.0.1:${port}`, failures: () => lines.filter(({ msg }) => msg === 'cannot write') }
}

it('a full disk is one line of the log, and another only after a write has succeeded', { tags: 'linux' }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'full-disk-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const { bootstrapServers, failures } = await startLimited(dataDir)
  const kafka = new Kafka({ brokers: [bootstrapServers], logLevel: logLevel.NOTHING, retry: { retries: 0 } })
  const producer = kafka.producer({ allowAutoTopicCreation: false, retry: { retries: 0 } })
  const admin = kafka.admin()
  await Promise.all([producer.connect(), admin.connect()])
  onTestFinished(async () => void (await Promise.all([producer.disconnect(), admin.disconnect()])))
  await admin.createTopics({ topics: [{ topic: TOPIC }], waitForLeaders: true })
  const send = (bytes: number) => producer.send({ topic: TOPIC, messages: [{ value: 'x'.repeat(bytes) }] })
  const refused = () => expect(send(150_000)).rejects.toMatchObject({ cause: { type: 'KAFKA_STORAGE_ERROR' } })

  await send(100_000)
  expect(failures()).toEqual([])
  for (let time = 0; time < 3; time += 1) await refused()
  await waitFor(() => failures().length > 0)
  expect(failures()).toEqual([
    {
      time: expect.any(String),
      level: 'error',
      file: expect.stringMatching(/^.+\/topics\/.+\/0\/\d+\.log$/),
      err: expect.stringMatching(/EFBIG.*write/),
      msg: 'cannot write',
    },
  ])
  expect(failures()[0]?.file).toContain(dataDir)

  await send(10)
  await refused()
  await waitFor(() => failures().length > 1)
  await refused()
  await send(10)
  expect(failures()).toHaveLength(2)
})
