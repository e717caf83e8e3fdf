import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { createDevIssuer, type DevIssuer } from '@taproom/jwt/testing'
import { startHttpServer, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findCondition } from '../src/resources/conditions.ts'
import { type Answer, eventHeaders, send } from './event-requests.ts'
import { brokerManifest, type EventSubscriber, startSubscriber, triggerManifest } from './event-subscriber.ts'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

const subject = (namespace: string, account: string) => `system:serviceaccount:${namespace}:${account}`
const [MINE, THEIRS] = [subject('default', 'me'), subject('other', 'me')]
const audienceOf = (broker: string) => `eventing.knative.dev/broker/default/${broker}`
const brokerRef = (name: string) => `{ ref: { apiVersion: eventing.knative.dev/v1, kind: Broker, name: ${name} } }`
const policy = (name: string, spec: object) => ({
  apiVersion: 'eventing.knative.dev/v1alpha1',
  kind: 'EventPolicy',
  metadata: { name, namespace: 'default' },
  spec,
})
const POLICIES = '/apis/eventing.knative.dev/v1alpha1/namespaces/default/eventpolicies'
const ref = (kind: string, name: string) => ({ ref: { apiVersion: 'eventing.knative.dev/v1', kind, name } })

/** An issuer whose keys are found by discovery. */
async function startIssuer() {
  let issuer: DevIssuer | undefined
  const server = await startHttpServer((req, res) => {
    const metadata = { issuer: server.url, jwks_uri: `${server.url}/keys` }
    res.end(JSON.stringify(req.url === '/keys' ? { keys: [issuer?.jwk] } : metadata))
  })
  issuer = await createDevIssuer({ issuer: server.url })
  const { sign } = issuer
  return { url: server.url, sign, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

describe('brokers that want tokens', () => {
  const opened = new AsyncDisposableStack()
  let issuer: Awaited<ReturnType<typeof startIssuer>>
  let subscriber: EventSubscriber
  let running: RunningPlatform
  const tokenFor = (broker: string, sub: string | undefined = MINE) => issuer.sign({ sub, aud: audienceOf(broker) })
  const objectOf = (kind: 'Broker' | 'EventPolicy', name: string) =>
    running.platform.store.get({ kind, namespace: 'default', name })
  const post = async (
    broker: string,
    token: string | undefined,
    overrides: Record<string, string> = {},
    url = `${running.url}/default/${broker}`,
  ): Promise<Answer & { readonly id: string }> => {
    const headers = eventHeaders({
      'ce-type': 'plain',
      ...overrides,
      ...(token && { authorization: `Bearer ${token}` }),
    })
    return { ...(await send(url, { headers, body: '{}' })), id: headers['ce-id'] ?? '' }
  }
  const reasonOf = async (id: string) => {
    const letter = await waitFor('the dead letter is there', () => subscriber.deliveriesOf(id, '/letters')[0])
    return `${letter.headers['ce-knativeerrorcode']} ${Buffer.from(String(letter.headers['ce-knativeerrordata']), 'base64')}`
  }
  const call = (method: string, path: string, body?: object) =>
    send(`${running.kubeUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(body === undefined && { 'content-length': '0' }) },
      ...(body && { body: JSON.stringify(body) }),
    })

  beforeAll(async () => {
    issuer = opened.use(await startIssuer())
    subscriber = opened.use(await startSubscriber())
    const { bootstrapServers } = opened.use(await startEmbeddedKafka())
    const uri = subscriber.url
    const letters = `delivery: { retry: 3, backoffDelay: PT0.01S, deadLetterSink: { uri: "${uri}/letters" } }`
    const files = {
      'all.yaml': [
        brokerManifest('default'),
        ...['guarded', 'chosen', 'later'].map((name) => brokerManifest(name)),
        triggerManifest('plain', uri),
        triggerManifest('seen', uri, { broker: 'guarded', filter: '""' }),
        triggerManifest('allowed', uri, { destination: brokerRef('guarded'), delivery: letters }),
        triggerManifest('refused', uri, { destination: brokerRef('guarded'), delivery: letters }),
        triggerManifest('asking', uri, { broker: 'chosen', filter: 'plain', delivery: letters }),
      ].join('---\n'),
      'policies.yaml': [
        policy('guards', { to: [ref('Broker', 'guarded')], from: [{ sub: THEIRS }, ref('Trigger', 'allowed')] }),
        policy('chooses', {
          to: [ref('Broker', 'chosen')],
          from: [{ sub: `${subject('other', '')}*` }],
          filters: [{ exact: { type: 'plain' } }],
        }),
      ]
        .map((object) => JSON.stringify(object))
        .join('\n---\n'),
    }
    running = opened.use(await runPlatform({ bootstrapServers, files, env: { BROKER_TOKEN_ISSUERS: issuer.url } }))
    await running.ready()
    await waitFor(
      'the keys are read',
      async () => (await send(`${running.url}/q/health/ready`, { method: 'GET' })).status === 200,
    )
  })
  afterAll(() => opened.disposeAsync())

  it('decisions 3.48: no token, or one that is not for this broker, is 401', async () => {
    const none = await post('default', undefined)
    expect(none).toMatchObject({ status: 401, body: '', headers: { 'www-authenticate': 'Bearer realm="broker"' } })
    const stranger = await createDevIssuer({ issuer: issuer.url })
    const bad = [
      await tokenFor('guarded'),
      await issuer.sign({ sub: MINE, aud: [] }),
      await issuer.sign({ sub: MINE, aud: audienceOf('default'), expiresInSeconds: -1 }),
      await stranger.sign({ sub: MINE, aud: audienceOf('default') }),
      'none',
    ]
    for (const token of bad) {
      const answer = await post('default', token)
      expect(answer).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': expect.stringMatching(/invalid_token/) },
      })
    }
    const good = await post('default', await tokenFor('default'))
    expect(good.status).toBe(202)
    await waitFor('only that is delivered', () => subscriber.deliveriesOf(good.id)[0])
    expect(subscriber.deliveriesOf(none.id)).toEqual([])
  })

  it('decisions 3.48: at every door of a broker', async () => {
    const hosts = {
      'default-broker.default.svc.cluster.local': '/',
      'broker-ingress.knative-eventing.svc.cluster.local': '/default/default',
    }
    for (const [host, path] of Object.entries(hosts)) {
      const at = async (token?: string) => (await post('default', token, { host }, `${running.url}${path}`)).status
      expect([await at(), await at(await tokenFor('default'))]).toEqual([401, 202])
    }
  })

  it('decisions 3.48: without a policy, callers of the same namespace may send', async () => {
    const refused = await post('default', await tokenFor('default', THEIRS))
    expect(refused.status).toBe(403)
    expect(JSON.parse(refused.body)).toMatchObject({
      status: 403,
      code: 'EVENT_FORBIDDEN',
      detail: `broker default/default takes no such event from ${THEIRS}`,
    })
    expect((await post('default', await issuer.sign({ sub: undefined, aud: audienceOf('default') }))).status).toBe(403)
    expect((await post('nowhere', await tokenFor('nowhere'))).status).toBe(404)
  })

  it('decisions 3.48: with a policy, only those that it names, with events that it takes', async () => {
    expect((await post('guarded', await tokenFor('guarded'))).status).toBe(403)
    expect((await post('guarded', await tokenFor('guarded', THEIRS))).status).toBe(202)
    const any = await tokenFor('chosen', subject('other', 'anybody'))
    expect((await post('chosen', any, { 'ce-type': 'fancy' })).status).toBe(403)
    expect((await post('chosen', any)).status).toBe(202)
  })

  it('decisions 3.48: a trigger that sends to a broker does so as its account', async () => {
    const token = await tokenFor('default')
    const allowed = await post('default', token, { 'ce-type': 'allowed' })
    await waitFor('it has passed the second broker', () => subscriber.deliveriesOf(allowed.id, '/seen')[0])
    const refused = await post('default', token, { 'ce-type': 'refused' })
    expect(await reasonOf(refused.id)).toMatch(/^403 broker default\/guarded takes no such event from .*:refused-oidc-/)
    expect(subscriber.deliveriesOf(refused.id, '/seen')).toEqual([])
  })

  it('decisions 3.48: so does one whose subscriber replies; a reply that may not enter is not asked for again', async () => {
    subscriber.answer('/asking', (res) => void res.writeHead(200, eventHeaders({ 'ce-type': 'reply' })).end('{}'))
    const { id } = await post('chosen', await tokenFor('chosen', THEIRS))
    expect(await reasonOf(id)).toMatch(/^502 /)
    expect(subscriber.deliveriesOf(id, '/asking')).toHaveLength(1)
  })

  it('decisions 3.48: a policy that comes, or goes, takes effect at once, and statuses say which do', async () => {
    const token = await tokenFor('later')
    expect((await post('later', token)).status).toBe(202)
    expect(findCondition(objectOf('Broker', 'later') ?? expect.fail(), 'EventPoliciesReady')).toMatchObject({
      status: 'True',
      reason: 'DefaultAuthorizationMode',
    })
    const spec = { to: [ref('Broker', 'later')], from: [{ sub: THEIRS }, ref('Trigger', 'unknown')] }
    expect((await call('POST', POLICIES, policy('late', spec))).status).toBe(201)
    expect((await post('later', token)).status).toBe(403)
    expect(objectOf('Broker', 'later')?.status).toMatchObject({
      address: { audience: audienceOf('later') },
      policies: [{ apiVersion: 'eventing.knative.dev/v1alpha1', name: 'late' }],
    })
    const late = objectOf('EventPolicy', 'late') ?? expect.fail()
    expect(late.status).toMatchObject({ from: [THEIRS] })
    expect(findCondition(late, 'Ready')).toMatchObject({
      status: 'False',
      message: 'Trigger "unknown" has no account here',
    })
    expect(objectOf('EventPolicy', 'guards')?.status).toMatchObject({
      from: [THEIRS, subject('default', 'allowed-oidc-eventing.knative.dev-trigger')],
    })
    expect((await call('DELETE', `${POLICIES}/late`)).status).toBe(200)
    expect((await post('later', token)).status).toBe(202)
    const groups = JSON.parse((await call('GET', '/apis/eventing.knative.dev')).body)
    expect(groups.preferredVersion.version).toBe('v1')
    expect(groups.versions.map(({ version }: { version: string }) => version)).toEqual(['v1', 'v1beta1', 'v1alpha1'])
  })
})

it('decisions 3.48: without BROKER_TOKEN_ISSUERS everyone may send, and a policy says that it has no effect', async () => {
  await using kafka = await startEmbeddedKafka()
  const files = {
    'all.yaml': `${brokerManifest('default')}---\n${JSON.stringify(policy('p', { from: [{ sub: THEIRS }] }))}`,
  }
  await using running = await runPlatform({ bootstrapServers: kafka.bootstrapServers, files })
  await running.ready()
  expect((await send(`${running.url}/default/default`, { headers: eventHeaders(), body: '{}' })).status).toBe(202)
  const found = running.platform.store.get({ kind: 'EventPolicy', namespace: 'default', name: 'p' }) ?? expect.fail()
  expect(findCondition(found, 'Ready')).toMatchObject({ status: 'False', reason: 'OIDCAuthenticationDisabled' })
  const broker = running.platform.store.get({ kind: 'Broker', namespace: 'default', name: 'default' }) ?? expect.fail()
  expect(broker.status?.['address']).not.toHaveProperty('audience')
  expect(findCondition(broker, 'EventPoliciesReady')).toBeUndefined()
})
