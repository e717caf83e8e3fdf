import { startKafka } from '@taproom/testkit'
import { expect } from 'vitest'
import { eventHeaders, send } from './event-requests.ts'
import { type EventSubscriber, startSubscriber } from './event-subscriber.ts'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

/** A platform with a Kafka and a subscriber of its own, all brokers and triggers ready. */
export interface RunningDeliveries extends RunningPlatform {
  readonly subscriber: EventSubscriber
  /** Posts an event, which the broker accepts; gives its id. */
  post(type: string, headers?: Readonly<Record<string, string>>, broker?: string): Promise<string>
}

/** Starts them; `files` are the manifests, made for the subscriber's URL. */
export async function runDeliveries(
  files: (subscriber: string) => Readonly<Record<string, string>>,
): Promise<RunningDeliveries> {
  await using opened = new AsyncDisposableStack()
  const subscriber = opened.use(await startSubscriber())
  const { bootstrapServers } = opened.use(await startKafka())
  const running = opened.use(await runPlatform({ bootstrapServers, files: files(subscriber.url) }))
  await running.ready()
  const resources = opened.move()
  return {
    ...running,
    subscriber,
    async post(type, overrides = {}, broker = 'default') {
      const headers = eventHeaders({ 'ce-type': type, ...overrides })
      // With a text as body Node would write headers beyond ASCII in UTF-8.
      const body = Buffer.from('{"n": 1.50}')
      expect((await send(`${running.url}/default/${broker}`, { headers, body })).status).toBe(202)
      return headers['ce-id'] ?? ''
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
