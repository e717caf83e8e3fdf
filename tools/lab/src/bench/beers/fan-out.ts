import { type KafkaClient, type OutgoingChannel, openOutgoing } from '@taproom/messaging'
import { crowdMark, residentBytes, type SseCrowd, startSseCrowd } from '@taproom/testkit'
import { type Contender, contender } from '../../harness/contender.ts'
import { LOAD_CORE, nodeOnCore } from '../../harness/cores.ts'
import type { ServerProcess } from '../../harness/server-process.ts'
import { startStopwatch } from '../../harness/stopwatch.ts'

const DELIVERIES = 60_000
const WARM_UP = 3
const MEBIBYTE = 1024 * 1024
/** The path of the stream, of every server. */
export const STREAM_PATH = '/beer'

/** A server of event streams and the events that it is measured with. */
export interface FanOut {
  readonly crowd: SseCrowd
  readonly topic: OutgoingChannel
  readonly numbers: Iterator<number>
}

/** A crowd, and a broker's topic of priced beers. */
export function openFanOut(kafka: KafkaClient, opened: AsyncDisposableStack): FanOut {
  return {
    crowd: opened.use(startSseCrowd({ command: nodeOnCore(LOAD_CORE) })),
    topic: opened.use(openOutgoing(kafka, { channel: 'priced-beer', timeoutMs: 60_000 })),
    numbers: countUp(),
  }
}

function* countUp(): Generator<number, never> {
  for (let number = 0; ; number += 1) yield number
}

/** The number of clients, and of events written together; the next are written when all clients have them. */
export interface Traffic {
  readonly clients: number
  readonly atOnce: number
}

/** Events that a server delivers in a second of its CPU time. */
export function fanOut(name: string, server: ServerProcess, { clients, atOnce }: Traffic, use: FanOut): Contender {
  const { crowd } = use
  return contender(name, async () => {
    const rounds = Math.ceil(DELIVERIES / clients / atOnce)
    await crowd.open(server.url + STREAM_PATH, clients)
    await deliver(WARM_UP, { clients, atOnce }, use)
    const stopwatch = startStopwatch(server.pid)
    await deliver(rounds, { clients, atOnce }, use)
    const seconds = stopwatch()
    const { outOfOrder, closed } = await crowd.report()
    if (outOfOrder + closed > 0) throw new Error(`${name}: ${outOfOrder} events out of order, ${closed} streams ended`)
    await crowd.leave()
    return (rounds * atOnce * clients) / seconds
  })
}

/** Clients that a mebibyte of a new server's resident memory holds. */
export function memory(name: string, start: () => Promise<ServerProcess>, clients: number, use: FanOut): Contender {
  const { crowd } = use
  return contender(name, async () => {
    await using server = await start()
    const before = residentBytes(server.pid)
    await crowd.open(server.url + STREAM_PATH, clients)
    await deliver(WARM_UP, { clients, atOnce: 1 }, use)
    const used = residentBytes(server.pid) - before
    await crowd.leave()
    return clients / (used / MEBIBYTE)
  })
}

async function deliver(rounds: number, { clients, atOnce }: Traffic, { crowd, topic, numbers }: FanOut): Promise<void> {
  await crowd.reset()
  for (let round = 1; round <= rounds; round += 1) {
    const beers = Array.from({ length: atOnce }, () => markedBeer(numbers.next().value))
    await Promise.all(beers.map((beer) => topic.send(beer)))
    await crowd.reach(round * atOnce * clients)
  }
}

/** A priced beer that a crowd knows again. */
export function markedBeer(number: number) {
  return { key: 'bench', value: JSON.stringify({ name: crowdMark(number), price: 12.5 }) }
}
