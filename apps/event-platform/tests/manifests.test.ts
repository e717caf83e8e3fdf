import { type EmbeddedKafka, startEmbeddedKafka } from '@taproom/embedded-kafka'
import { startHttpServer, type TestHttpServer, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isReady } from '../src/resources/conditions.ts'
import { eventHeaders, send } from './event-requests.ts'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

const BROKER = 'apiVersion: eventing.knative.dev/v1\nkind: Broker\nmetadata: { name: default }\n'

describe('manifests that change on disk', () => {
  let kafka: EmbeddedKafka
  let subscriber: TestHttpServer
  let running: RunningPlatform
  const trigger = (name: string, { extra = '', version = 'v1' } = {}) => `
apiVersion: eventing.knative.dev/${version}
kind: Trigger
metadata: { name: ${name} }
spec:
  ${version === 'v1' ? 'broker: default' : ''}
  filter: { attributes: { type: greeting } }
  subscriber: { uri: "${subscriber.url}/${name}" }
  ${extra}
`
  const post = async () => {
    const headers = eventHeaders()
    expect((await send(`${running.url}/default/default`, { headers, body: '{}' })).status).toBe(202)
    return headers['ce-id'] ?? ''
  }
  const idsAt = (path: string) =>
    subscriber.requests.filter(({ url }) => url === path).map(({ headers }) => headers['ce-id'])
  const find = (name: string) => running.platform.store.get({ kind: 'Trigger', namespace: 'default', name })
  const becomesReady = (name: string) =>
    waitFor(`trigger ${name} is ready`, () => {
      const found = find(name)
      return found !== undefined && isReady(found)
    })

  beforeAll(async () => {
    subscriber = await startHttpServer((_req, res) => void res.writeHead(202).end())
    kafka = await startEmbeddedKafka()
    running = await runPlatform({
      bootstrapServers: kafka.bootstrapServers,
      files: { '1-broker.yaml': BROKER, '2-first.yaml': trigger('first') },
    })
    await running.ready()
  })
  afterAll(async () => {
    await running?.[Symbol.asyncDispose]()
    await kafka?.[Symbol.asyncDispose]()
    await subscriber?.[Symbol.asyncDispose]()
  })

  it('decisions 3.15: a new trigger becomes Ready, gets what is accepted from then on and nothing older', async () => {
    const older = await post()
    await waitFor('the first trigger has it', () => idsAt('/first').includes(older))
    await running.write('3-second.yaml', trigger('second'))
    await becomesReady('second')
    const ids = await Promise.all(Array.from({ length: 20 }, post))
    await waitFor('the new trigger has all', () => ids.every((id) => idsAt('/second').includes(id)))
    expect(idsAt('/second')).not.toContain(older)
  })

  it('decisions 3.21: an invalid change leaves the old version in force and shows in health', async () => {
    await running.write('2-first.yaml', trigger('first', { extra: 'delivery: { backoffDelay: 1s }' }))
    const problem = await waitFor('it is refused', () => running.platform.manifests.problems[0])
    expect(problem).toMatchObject({ file: '2-first.yaml', field: 'spec.delivery.backoffDelay' })
    const health = await send(`${running.url}/q/health/well`, { method: 'GET' })
    expect(health.status).toBe(503)
    expect(health.body).toContain('2-first.yaml spec.delivery.backoffDelay')
    const id = await post()
    await waitFor('the first trigger still has its events', () => idsAt('/first').includes(id))
    await running.write('2-first.yaml', trigger('first'))
    await waitFor('it is taken again', () => running.platform.manifests.problems.length === 0)
  })

  it('decisions 1.67: a v1beta1 trigger without spec.broker works like any other', async () => {
    await running.write('4-beta.yaml', trigger('beta', { version: 'v1beta1' }))
    await becomesReady('beta')
    const id = await post()
    await waitFor('it has the event', () => idsAt('/beta').includes(id))
  })

  it('a trigger whose subscriber does not exist is not ready, and has its events once it does', async () => {
    const ref = '{ apiVersion: serving.knative.dev/v1, kind: Service, name: late }'
    const late = trigger('late').replace(/subscriber: .*/, `subscriber: { ref: ${ref} }`)
    await running.write('5-late.yaml', late)
    await waitFor('it is there', () => find('late')?.status)
    expect(find('late')?.status).not.toHaveProperty('subscriberUri')
    expect(running.platform.store.list('Trigger').filter((found) => !isReady(found))).toEqual([find('late')])
    await running.write(
      '6-late-service.yaml',
      `apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: late }
spec: { template: { spec: { containers: [{ image: event-sinks, args: [aloha-sink] }] } } }
`,
    )
    await becomesReady('late')
    const id = await post()
    await waitFor('the sink has it', () => running.lines.some((line) => line.includes(id)))
  })

  it('a trigger that was deleted and made again does not get what was accepted in between', async () => {
    await running.remove('3-second.yaml')
    await waitFor('it is gone', () => find('second') === undefined)
    const between = await post()
    await waitFor('the first trigger has it', () => idsAt('/first').includes(between))
    await running.write('3-second.yaml', trigger('second'))
    await becomesReady('second')
    const after = await post()
    await waitFor('it has the newer one', () => idsAt('/second').includes(after))
    expect(idsAt('/second')).not.toContain(between)
  })
})
