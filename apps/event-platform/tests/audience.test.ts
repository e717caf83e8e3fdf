import { createJwtVerifier, type JwtVerifier } from '@taproom/jwt'
import { waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send } from './event-requests.ts'
import { brokerManifest, triggerManifest } from './event-subscriber.ts'
import { type RunningDeliveries, runDeliveries } from './running-deliveries.ts'

const SINK = 'https://sink.example/events'
const LETTERS = 'letters'
const ACCOUNT = 'guarded-oidc-eventing.knative.dev-trigger'
const FOREIGN = { authorization: 'Bearer from-outside', 'proxy-authorization': 'Basic eDp5' }

const destination = (uri: string, audience: string) => `{ uri: "${uri}", audience: "${audience}" }`
const tokenOf = ({ headers }: { headers: { authorization?: string | undefined } }) =>
  headers.authorization?.replace(/^Bearer /, '') ?? ''

describe('audience', () => {
  let running: RunningDeliveries
  let verifier: JwtVerifier
  const deliveryOf = (id: string, path: string) =>
    waitFor('it is delivered', () => running.subscriber.deliveriesOf(id, path)[0])
  const statusOf = (name: string) =>
    running.platform.store.get({ kind: 'Trigger', namespace: 'default', name })?.status ?? {}

  beforeAll(async () => {
    running = await runDeliveries((uri) => {
      const letters = `delivery: { deadLetterSink: ${destination(`${uri}/letters`, LETTERS)} }`
      return {
        'broker.yaml': brokerManifest('default', ` ${letters} `),
        'triggers.yaml': [
          triggerManifest('guarded', uri, { destination: destination(`${uri}/guarded`, SINK) }),
          triggerManifest('refusing', uri, { delivery: 'delivery: { retry: 0 }' }),
          triggerManifest('open', uri),
        ].join('---'),
      }
    })
    verifier = await createJwtVerifier({ issuers: [running.url], discovery: true, audiences: [SINK] })
    await waitFor('the verifier has the keys', async () => (await verifier.check.check()).status === 'UP')
    // A sink as one would write it: no valid token, no event.
    running.subscriber.answer('/guarded', (res) => {
      const token = tokenOf(running.subscriber.deliveries.at(-1) ?? { headers: {} })
      Promise.resolve(verifier.verify(token)).then(
        () => void res.writeHead(202).end(),
        () => void res.writeHead(401).end(),
      )
    })
    running.subscriber.answer('/refusing', (res) => void res.writeHead(400).end())
  })
  afterAll(async () => {
    verifier?.[Symbol.dispose]()
    await running?.[Symbol.asyncDispose]()
  })

  it('decisions 3.47: a delivery carries a token that the sink can verify by discovery', async () => {
    const [first, second] = [await running.post('guarded', FOREIGN), await running.post('guarded')]
    const token = tokenOf(await deliveryOf(first, '/guarded'))
    const { name, claims } = await verifier.verify(token)
    expect(name).toBe(`system:serviceaccount:default:${ACCOUNT}`)
    expect(claims).toMatchObject({ iss: running.url, aud: [SINK] })
    expect(tokenOf(await deliveryOf(second, '/guarded'))).toBe(token)
    await waitFor('both are delivered', async () => {
      const trigger = running.platform.store.get({ kind: 'Trigger', namespace: 'default', name: 'guarded' })
      return trigger && running.platform.controller.triggers.counters(trigger)?.delivered === 2
    })
  })

  it('decisions 3.47: a dead letter carries one for its sink, which is of no use elsewhere', async () => {
    const id = await running.post('refusing', FOREIGN)
    const token = tokenOf(await deliveryOf(id, '/letters'))
    await expect(verifier.verify(token)).rejects.toMatchObject({ reason: 'audience' })
    expect(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
      aud: [LETTERS],
      sub: 'system:serviceaccount:default:refusing-oidc-eventing.knative.dev-trigger',
    })
    expect((await deliveryOf(id, '/refusing')).headers).not.toHaveProperty('authorization')
  })

  it('decisions 3.47: the authorization of who sends an event is not passed on', async () => {
    const { headers } = await deliveryOf(await running.post('open', FOREIGN), '/open')
    for (const name of Object.keys(FOREIGN)) expect(headers).not.toHaveProperty(name)
  })

  it('decisions 3.47: statuses name audiences and account as in Knative', () => {
    const sink = { deadLetterSinkAudience: LETTERS }
    expect(statusOf('guarded')).toMatchObject({
      ...sink,
      subscriberAudience: SINK,
      auth: { serviceAccountName: ACCOUNT },
    })
    expect(statusOf('open')).toMatchObject(sink)
    expect(statusOf('open')).not.toHaveProperty('subscriberAudience')
    expect(running.platform.store.get({ kind: 'Broker', namespace: 'default', name: 'default' })?.status).toMatchObject(
      sink,
    )
  })

  it('decisions 3.47: metadata and keys are public, and read only', async () => {
    const metadata = await send(`${running.url}/.well-known/openid-configuration`, { method: 'GET' })
    expect(JSON.parse(metadata.body)).toMatchObject({ issuer: running.url, jwks_uri: `${running.url}/openid/v1/jwks` })
    const keys = JSON.parse((await send(`${running.url}/openid/v1/jwks`, { method: 'GET' })).body).keys
    expect(keys).toEqual([
      { kty: 'RSA', alg: 'RS256', use: 'sig', kid: expect.any(String), n: expect.any(String), e: 'AQAB' },
    ])
    expect((await send(`${running.url}/openid/v1/jwks`, { body: '{}' })).status).toBe(405)
  })
})
