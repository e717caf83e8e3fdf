import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createAuthority, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { brokerManifest, triggerManifest } from './event-subscriber.ts'
import { type RunningDeliveries, runDeliveries } from './running-deliveries.ts'

const [ours, other] = [createAuthority('ours'), createAuthority('other')]
/** Valid as JSON, and so within YAML. */
const destination = (uri: string, CACerts?: string) => JSON.stringify({ uri, ...(CACerts && { CACerts }) })

/** A subscriber with a certificate of ours; it counts the requests by path and event. */
async function startSecure() {
  const { certificate: cert, key } = ours.issue({ names: ['127.0.0.1'] })
  const taken: string[] = []
  const server = createServer({ cert, key }, (req, res) => {
    taken.push(`${req.url} ${req.headers['ce-id']}`)
    req.resume().on('end', () => void res.writeHead(202).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `https://127.0.0.1:${port}`, port, taken, [Symbol.asyncDispose]: close }
}

describe('CACerts', () => {
  let running: RunningDeliveries
  let secure: Awaited<ReturnType<typeof startSecure>>
  const statusOf = (kind: 'Broker' | 'Trigger', name: string) =>
    running.platform.store.get({ kind, namespace: 'default', name })?.status ?? {}
  const conditionOf = (name: string, type: string) =>
    [statusOf('Trigger', name)['conditions']].flat().find((condition) => Object(condition).type === type)
  const reasonOf = async (id: string) => {
    const letter = await waitFor('the dead letter is there', () => running.subscriber.deliveriesOf(id, '/letters')[0])
    return Buffer.from(String(letter.headers['ce-knativeerrordata']), 'base64').toString()
  }

  beforeAll(async () => {
    secure = await startSecure()
    running = await runDeliveries((uri) => {
      const retry = 'retry: 2, backoffPolicy: linear, backoffDelay: PT0.01S'
      const plainLetters = `delivery: { ${retry}, deadLetterSink: { uri: "${uri}/letters" } }`
      const at = (path: string, certificates?: string) => destination(`${secure.url}${path}`, certificates)
      const trigger = (name: string, to: string, delivery = plainLetters) =>
        triggerManifest(name, uri, { destination: to, delivery })
      const inherited = at('/letters', ours.certificate)
      return {
        'brokers.yaml': brokerManifest('default', ` delivery: { deadLetterSink: ${inherited} } `),
        'triggers.yaml': [
          trigger('trusting', at('/trusting', `${other.certificate}${ours.certificate}`)),
          trigger('mistrusting', at('/mistrusting', other.certificate)),
          trigger('without', at('/without')),
          trigger('elsewhere', destination(`https://localhost:${secure.port}/elsewhere`, ours.certificate)),
          trigger('needless', destination(`${uri}/needless`, ours.certificate)),
          trigger('inheriting', at('/inheriting', other.certificate), 'delivery: { retry: 0 }'),
        ].join('---'),
      }
    })
  })
  afterAll(async () => {
    await running?.[Symbol.asyncDispose]()
    await secure?.[Symbol.asyncDispose]()
  })

  it('decisions 3.46: a subscriber with a certificate of that authority gets its events', async () => {
    const ids = await Promise.all([running.post('trusting'), running.post('trusting')])
    await waitFor('it has both', () => ids.every((id) => secure.taken.includes(`/trusting ${id}`)))
    expect(statusOf('Trigger', 'trusting')).toMatchObject({
      subscriberUri: `${secure.url}/trusting`,
      subscriberCACerts: `${other.certificate}${ours.certificate}`,
    })
  })

  it.each(['mistrusting', 'without', 'elsewhere'])(
    'decisions 3.46: a subscriber whose certificate is not trusted gets nothing (%s)',
    async (name) => {
      const id = await running.post(name)
      expect(await reasonOf(id)).toMatch(/^unreachable: .*certificate/)
      expect(secure.taken.filter((taken) => taken.includes(id))).toEqual([])
    },
  )

  it.each(['mistrusting', 'without'])('decisions 3.51: no variable of Node turns that off (%s)', async (name) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    onTestFinished(() => void vi.unstubAllEnvs())
    const id = await running.post(name)
    expect(await reasonOf(id)).toMatch(/^unreachable: .*certificate/)
    expect(secure.taken.filter((taken) => taken.includes(id))).toEqual([])
  })

  it('decisions 3.46: dead letters go to a sink of that authority, the one of the broker too', async () => {
    const id = await running.post('inheriting')
    await waitFor('the dead letter is there', () => secure.taken.includes(`/letters ${id}`))
    const sink = { deadLetterSinkUri: `${secure.url}/letters`, deadLetterSinkCACerts: ours.certificate }
    expect(statusOf('Trigger', 'inheriting')).toMatchObject(sink)
    expect(statusOf('Broker', 'default')).toMatchObject(sink)
    expect(statusOf('Trigger', 'trusting')).not.toHaveProperty('deadLetterSinkCACerts')
  })

  it('decisions 3.46: has no effect without TLS, as the status says', async () => {
    const id = await running.post('needless')
    await waitFor('it is delivered', () => running.subscriber.deliveriesOf(id, '/needless')[0])
    expect(conditionOf('needless', 'SubscriberResolved')).toMatchObject({
      status: 'True',
      reason: 'CACertsNotUsed',
      message: `CACerts has no effect: ${running.subscriber.url}/needless is reached without TLS.`,
    })
    expect(conditionOf('trusting', 'SubscriberResolved')).not.toHaveProperty('reason')
  })
})
