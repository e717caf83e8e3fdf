import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startHttpServer, waitFor } from '@taproom/testkit'
import { startKafka } from '../bench/broker.ts'
import { BROKER_MANIFEST, startPlatform, triggerManifest } from '../bench/events/broker-system.ts'
import { eventing } from '../harness/manifests.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { type ReadEvent, type SdkPeer, startPeer } from './sdk-peer.ts'
import type { SentValue } from './values.ts'

/** The headers of an event, as a subscriber that decodes nothing gets them; Latin-1. */
export type EventHeaders = Readonly<Record<string, string>>

/** An event on its ways; a text says why it did not come. */
export interface Ways {
  /** Straight from the SDK to a subscriber. */
  readonly direct: EventHeaders | string
  /** Through the broker. */
  readonly broker: EventHeaders | string
  /** By the calls of Knative, if the SDK of Go is here. */
  readonly knative: EventHeaders | string | undefined
  /** Posted in structured mode, through the broker. */
  readonly structured: EventHeaders | string
  /** The same by the calls of Knative. */
  readonly knativeStructured: EventHeaders | string | undefined
  /** The SDK reads this of its own event, straight and through the broker, and of the one in structured mode. */
  readonly read: Readonly<Record<'direct' | 'broker' | 'structured', ReadEvent | string | undefined>>
}

export interface EventWays {
  of(sdk: string, value: SentValue): Promise<Ways>
}

/** Starts the event platform with a subscriber for each SDK, and one that notes headers as they come. */
export async function openEventWays(
  commands: Readonly<Record<string, readonly string[]>>,
  opened: AsyncDisposableStack,
): Promise<EventWays> {
  const captured: EventHeaders[] = []
  const capture = opened.use(
    await startHttpServer(async (req, res) => {
      const body = Buffer.concat(await req.toArray())
      const headers = Object.entries(req.headers).filter(([name]) =>
        /^(?!ce-(?:id|time|knative))(?:ce-|content-type)/.test(name),
      )
      captured.push({ ...(Object.fromEntries(headers) as Record<string, string>), body: body.toString('latin1') })
      res.writeHead(202).end()
    }),
  )
  const peers = new Map<string, SdkPeer>()
  for (const [sdk, command] of Object.entries(commands)) peers.set(sdk, opened.use(await startPeer(command)))
  const knative = commands['go'] && opened.use(await startPeer([...commands['go'], 'knative', capture.url]))
  const folder = await temporaryFolder(opened, 'event-sdks')
  const manifests = [
    BROKER_MANIFEST,
    eventing('Trigger', 'capture', { broker: 'default', subscriber: { uri: capture.url } }),
    ...[...peers].map(([sdk, { url }]) => triggerManifest(sdk, sdk, url)),
  ]
  await writeFile(join(folder, 'manifests.yaml'), manifests.join('\n---\n'))
  const kafka = opened.use(await startKafka({ KAFKA_DATA_DIR: join(folder, 'kafka') }))
  const broker = `${(await startPlatform({ kafka, folder }, opened)).url}/default/default`

  /** Resolves to what came, or to why nothing was sent. */
  const sent = async (send: () => Promise<number | string>): Promise<EventHeaders | string> => {
    captured.length = 0
    const answer = await send()
    if (answer !== 202) return `${answer}`
    return await waitFor('the event', () => captured[0])
  }
  const seenBy = async (peer: SdkPeer, came: EventHeaders | string) =>
    typeof came === 'string' ? undefined : await waitFor('the SDK has it', () => peer.seen()[0])

  return {
    async of(sdk, value) {
      const peer = peers.get(sdk)
      if (peer === undefined) throw new Error(`there is no SDK of ${sdk}`)
      const event = { id: randomUUID(), type: sdk, ...value }
      const direct = await sent(() => peer.send(capture.url, event))
      const toItself = await peer.send(peer.url, event)
      const readDirectly = typeof toItself === 'string' ? toItself : peer.seen()[0]
      const throughBroker = await sent(() => peer.send(broker, event))
      const readThroughBroker = await seenBy(peer, throughBroker)
      const throughKnative = knative && (await sent(() => peer.send(knative.url, event)))
      const structured = await sent(() => postStructured(broker, event))
      const readStructured = await seenBy(peer, structured)
      const knativeStructured = knative && (await sent(() => postStructured(knative.url, event)))
      return {
        ...{ direct, broker: throughBroker, knative: throughKnative, structured, knativeStructured },
        read: { direct: readDirectly, broker: readThroughBroker, structured: readStructured },
      }
    },
  }
}

async function postStructured(url: string, event: object): Promise<number> {
  const body = JSON.stringify({ specversion: '1.0', source: '/sdk', datacontenttype: 'application/json', ...event })
  const headers = { 'content-type': 'application/cloudevents+json' }
  const answer = await fetch(url, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  return answer.status
}
