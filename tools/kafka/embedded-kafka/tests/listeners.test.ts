import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { Kafka, logLevel } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { ListenError, OptionError, startEmbeddedKafka } from '../src/index.ts'
import { startBrokerProcess } from './broker-process.ts'
import { consumeUntil } from './consume.ts'
import { kcat } from './kcat.ts'

/** A port that leads to another one, as a published port of a container or a tunnel does; `target` may be set later. */
async function openTunnel(): Promise<{ port: number; target: number; connections: number } & AsyncDisposable> {
  const server = createServer((outer) => {
    tunnel.connections += 1
    const inner = connect(tunnel.target, '127.0.0.1')
    for (const socket of [inner, outer]) socket.on('error', () => socket.destroy())
    outer.pipe(inner).pipe(outer)
  })
  await once(server.listen(0), 'listening')
  const tunnel = {
    port: (server.address() as AddressInfo).port,
    target: 0,
    connections: 0,
    [Symbol.asyncDispose]: async () => {
      server.close()
    },
  }
  return tunnel
}

async function nodesAt(bootstrapServers: string): Promise<readonly object[]> {
  const admin = new Kafka({ brokers: [bootstrapServers], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    return (await admin.describeCluster()).brokers
  } finally {
    await admin.disconnect()
  }
}

describe('a broker behind a tunnel', () => {
  it('is produced to and consumed from as a group, all through the tunnel', async () => {
    await using tunnel = await openTunnel()
    await using broker = await startEmbeddedKafka({ advertise: `127.0.0.1:${tunnel.port}` })
    tunnel.target = broker.port
    const node = { nodeId: 1, host: '127.0.0.1', port: tunnel.port }
    expect(await nodesAt(`127.0.0.1:${tunnel.port}`)).toEqual([node])
    const before = tunnel.connections
    // From the inner address clients are sent to the advertised one, too: it is the one listener's.
    const kafka = new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING })
    const producer = kafka.producer()
    await producer.connect()
    await producer.send({ topic: 'far', messages: [{ value: 'away' }] })
    await producer.disconnect()
    const consumer = kafka.consumer({ groupId: 'g', maxWaitTimeInMs: 100 })
    const [read] = await consumeUntil(consumer, 'far', 1)
    await consumer.disconnect()
    expect(String(read?.message.value)).toBe('away')
    expect(tunnel.connections - before).toBeGreaterThanOrEqual(2)
  })
})

describe('listeners with names', () => {
  it('each tell their clients their own advertised address', async () => {
    await using tunnel = await openTunnel()
    await using broker = await startEmbeddedKafka({
      listeners: 'PLAINTEXT://127.0.0.1:0,EXTERNAL://0.0.0.0:0,ANY://:0',
      advertisedListeners: `EXTERNAL://localhost:${tunnel.port},ANY://localhost:0`,
    })
    const [inner, external, any] = broker.listeners
    tunnel.target = external?.port ?? 0
    expect([inner, external, any].map((each) => each?.name)).toEqual(['PLAINTEXT', 'EXTERNAL', 'ANY'])
    expect(broker).toMatchObject({ port: inner?.port, bootstrapServers: `127.0.0.1:${inner?.port}` })
    const nodeAt = async (port = 0) => (await nodesAt(`127.0.0.1:${port}`))[0]
    expect(await nodeAt(inner?.port)).toEqual({ nodeId: 1, host: '127.0.0.1', port: inner?.port })
    expect(await nodeAt(external?.port)).toEqual({ nodeId: 1, host: 'localhost', port: tunnel.port })
    // Without a port it is the one it got.
    expect(await nodeAt(any?.port)).toEqual({ nodeId: 1, host: 'localhost', port: any?.port })
  })

  it('count their connections together', async () => {
    await using broker = await startEmbeddedKafka({
      listeners: 'A://127.0.0.1:0,B://127.0.0.1:0',
      maxConnections: 1,
    })
    const [a, b] = broker.listeners
    const first = connect(a?.port ?? 0, '127.0.0.1')
    await once(first, 'connect')
    const second = connect(b?.port ?? 0, '127.0.0.1')
    second.on('error', () => {})
    await new Promise((resolve) => second.once('close', resolve))
    expect(first.destroyed).toBe(false)
    first.destroy()
  })

  it('are all closed when one cannot listen', async () => {
    await using taken = await startEmbeddedKafka()
    const free = await startEmbeddedKafka()
    await free[Symbol.asyncDispose]()
    const listeners = `A://127.0.0.1:${free.port},B://127.0.0.1:${taken.port}`
    const failed = startEmbeddedKafka({ listeners })
    await expect(failed).rejects.toThrow(ListenError)
    await expect(failed).rejects.toThrow(`cannot listen on B://127.0.0.1:${taken.port}: the address is taken`)
    await using _again = await startEmbeddedKafka({ port: free.port })
  })

  it.each([
    [{ advertise: 'broker.example' }, /advertise must be host:port.*"broker.example"/],
    [{ advertise: '::1:9092' }, /advertise must be host:port, an IPv6 address in brackets/],
    [{ advertise: 'a:1', listeners: 'A://:0' }, /advertise must not be given together with listeners/],
    [{ listeners: 'A://:0', port: 9092 }, /listeners must not be given together with host or port/],
    [
      { listeners: 'SASL_SSL://:0' },
      /ssl.keystore.location must name a file with certificates in PEM.*sasl.enabled.mechanisms must be some of/,
    ],
  ])('are refused when they are %j', async (options, message) => {
    await expect(startEmbeddedKafka(options)).rejects.toThrow(OptionError)
    await expect(startEmbeddedKafka(options)).rejects.toThrow(message)
  })
})

// Without kcat on the machine there is nothing to run; CI installs it.
describe('kcat', { tags: 'kcat' }, () => {
  it('reaches the command by each listener, by IPv6 too, and is told its address', async () => {
    await using broker = await startBrokerProcess({
      env: {
        KAFKA_LISTENERS: 'PLAINTEXT://127.0.0.1:0,SIX://[::1]:0,OUT://:0',
        KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://localhost:0,OUT://[::1]:19094',
        KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,SIX:PLAINTEXT,OUT:PLAINTEXT',
      },
    })
    const ports = broker.ports as { PLAINTEXT: number; SIX: number; OUT: number }
    const nameAt = async (server: string) =>
      (JSON.parse(await kcat(['-b', server, '-L', '-J'])) as { brokers: { name: string }[] }).brokers[0]?.name
    expect(await nameAt(`127.0.0.1:${ports.PLAINTEXT}`)).toBe(`localhost:${ports.PLAINTEXT}`)
    expect(await nameAt(`127.0.0.1:${ports.OUT}`)).toBe('::1:19094')
    expect(await nameAt(`[::1]:${ports.SIX}`)).toBe(`::1:${ports.SIX}`)
    await kcat(['-b', `127.0.0.1:${ports.PLAINTEXT}`, '-t', 't', '-P'], 'by name')
    expect(await kcat(['-b', `localhost:${ports.PLAINTEXT}`, '-t', 't', '-C', '-e', '-q'])).toBe('by name\n')
  })
})
