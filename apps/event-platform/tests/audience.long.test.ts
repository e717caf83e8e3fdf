import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { waitFor } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { eventHeaders, send } from './event-requests.ts'
import { brokerManifest, startSubscriber, triggerManifest } from './event-subscriber.ts'
import { startPlatformProcess } from './platform-process.ts'

const FOREIGN = { authorization: 'Bearer from-outside', 'proxy-authorization': 'Basic eDp5' }

it('decisions 3.47: a restart keeps the key, and no line of the log has a token', async () => {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'audience-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const subscriber = opened.use(await startSubscriber())
  const { bootstrapServers } = opened.use(await startEmbeddedKafka())
  subscriber.answer('/guarded', (res) => void res.writeHead(401).end())
  const trigger = triggerManifest('guarded', '', {
    destination: `{ uri: "${subscriber.url}/guarded", audience: "https://sink.example/events" }`,
  })
  await writeFile(join(folder, 'all.yaml'), `${brokerManifest('default')}---${trigger}`)
  const env = {
    MANIFESTS: folder,
    RESOURCES_FILE: join(folder, 'state', 'resources.json'),
    KAFKA_BOOTSTRAP_SERVERS: bootstrapServers,
    LOG_LEVEL: 'trace',
  }
  const kids: unknown[] = []
  for (const _life of ['first', 'second']) {
    await using platform = await startPlatformProcess(env)
    const headers = eventHeaders({ 'ce-type': 'guarded', ...FOREIGN })
    await waitFor('the event is taken', async () => {
      return (await send(`${platform.url}/default/default`, { headers, body: '{}' })).status === 202
    })
    const delivery = await waitFor('it is delivered', () => subscriber.deliveriesOf(headers['ce-id'] ?? '')[0])
    await waitFor('that is logged', () => platform.lines.some(({ msg }) => msg === 'event dropped'))
    const [head = '', ...parts] = delivery.headers.authorization?.replace(/^Bearer /, '').split('.') ?? []
    kids.push(JSON.parse(Buffer.from(head, 'base64url').toString()).kid)
    expect(parts).toHaveLength(2)
    const log = JSON.stringify(platform.lines)
    for (const secret of [...parts, 'from-outside']) expect(log).not.toContain(secret)
    await platform.end('SIGTERM')
  }
  expect(kids[1]).toBe(kids[0])
})
