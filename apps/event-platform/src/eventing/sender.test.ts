import { DEFAULT_DELIVERY_POLICY } from '@taproom/events'
import type { OutgoingChannel } from '@taproom/messaging'
import { startHttpServer } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { Brokers } from './brokers.ts'
import { createSender } from './sender.ts'

it('decisions 3.47: the token for a service is made when an instance is there, which may take long', async () => {
  await using instance = await startHttpServer((_req, res) => void res.writeHead(202).end())
  const steps: string[] = []
  const send = createSender({
    brokers: new Brokers({ outgoing: {} as OutgoingChannel }),
    serving: {
      acquire: async () => {
        steps.push('instance')
        const ends = { succeeded() {}, discard() {}, release() {} }
        return { url: new URL(instance.url), ...ends } as never
      },
    },
    clients: { of: () => expect.fail() },
    subject: 'system:serviceaccount:default:test',
    tokenFor: async (audience) => {
      steps.push('token')
      return `for-${audience}`
    },
  })
  const service = {
    kind: 'service',
    namespace: 'default',
    name: 's',
    path: '/',
    uri: 'http://s',
    audience: 'sink',
  } as const
  const attempt = {
    event: { specversion: '1.0', id: '1', source: '/s', type: 't' },
    headers: {},
    policy: DEFAULT_DELIVERY_POLICY,
    signal: new AbortController().signal,
    prefersReply: true,
  } as const
  expect(await send({ ...attempt, destination: service })).toMatchObject({ delivered: true })
  expect(steps).toEqual(['instance', 'token'])
  expect(instance.requests[0]?.headers['authorization']).toBe('Bearer for-sink')
})
