import { randomUUID } from 'node:crypto'
import { run } from '@taproom/processes'
import { freePort, waitFor } from '@taproom/testkit'
import { Kafka, logLevel } from 'kafkajs'
import { beforeAll, describe, expect, it } from 'vitest'
import { docker, inspect, logLines } from './docker.ts'

const IMAGE = 'embedded-kafka:development'
const BASE_IMAGE = 'node:24-bookworm-slim'

async function startBroker(port: number, ...args: readonly string[]) {
  const name = `taproom-test-${randomUUID()}`
  const limits = ['--read-only', '--cap-drop', 'ALL', '--publish', `127.0.0.1:${port}:9092`]
  const id = await docker('run', '--detach', '--name', name, ...limits, ...args)
  return {
    id,
    [Symbol.asyncDispose]: async () => void (await docker('rm', '--force', id)),
  }
}

async function offsetAt(brokers: string[], send?: string): Promise<string | undefined> {
  const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING })
  const [producer, admin] = [kafka.producer(), kafka.admin()]
  await Promise.all([producer.connect(), admin.connect()])
  try {
    if (send !== undefined) await producer.send({ topic: 'beers', messages: [{ value: send, partition: 1 }] })
    return (await admin.fetchTopicOffsets('beers')).find(({ partition }) => partition === 1)?.high
  } finally {
    await Promise.all([producer.disconnect(), admin.disconnect()])
  }
}

describe('the image of embedded-kafka', () => {
  beforeAll(async () => {
    await run('pnpm', ['--filter', '@taproom/standalone', 'run', 'image'])
  })

  it('decisions 3.66: adds a few megabytes to its base', async () => {
    const sizes = [IMAGE, BASE_IMAGE].map((image) => docker('image', 'inspect', '--format', '{{.Size}}', image))
    const [all = 0, base = 0] = (await Promise.all(sizes)).map(Number)
    expect(all - base).toBeLessThan(3_000_000)
  })

  it('decisions 3.179: serves a schema registry at the port that it is given', async () => {
    const port = await freePort()
    const registry = ['--publish', `127.0.0.1:${port}:8081`, IMAGE, '--schema-registry', '8081']
    await using broker = await startBroker(await freePort(), ...registry)
    await waitFor('the ready line', async () =>
      (await logLines(broker.id)).some((line) => line['schemaRegistryPort'] === 8081),
    )
    expect(await (await fetch(`http://127.0.0.1:${port}/schemas/types`)).json()).toContain('PROTOBUF')
  })

  it('is healthy, keeps its volume, is reached at what it advertises, and ends with 0', async () => {
    const port = await freePort()
    const brokers = [`127.0.0.1:${port}`]
    const volume = `taproom-test-${randomUUID()}`
    const args = ['--volume', `${volume}:/data`, IMAGE, '--data-dir', '/data', '--topic', 'beers:2']
    const advertise = ['--advertise', `127.0.0.1:${port}`]
    try {
      {
        await using first = await startBroker(port, ...args, ...advertise)
        await waitFor('health', async () => (await inspect([first.id]))[0]?.State.Health?.Status === 'healthy')
        expect(await offsetAt(brokers, 'kept')).toBe('1')
        await docker('stop', '--time', '60', first.id)
        expect((await inspect([first.id]))[0]?.State.ExitCode).toBe(0)
      }
      await using again = await startBroker(port, ...args, ...advertise)
      await waitFor('the ready line', async () => (await logLines(again.id)).some(({ port: own }) => own === 9092))
      expect(await offsetAt(brokers)).toBe('1')
    } finally {
      await docker('volume', 'rm', '--force', volume)
    }
  })
})
