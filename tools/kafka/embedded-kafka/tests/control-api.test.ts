import { fileURLToPath } from 'node:url'
import { Validator } from '@seriousme/openapi-schema-validator'
import { endingWithParent, startNode } from '@taproom/processes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CONTROL_ROUTES } from '../src/control/control-routes.ts'
import { ListenError, OptionError, startEmbeddedKafka } from '../src/index.ts'
import { consumeUntil, waitFor } from './consume.ts'
import { controlRequest } from './control-request.ts'
import { ControlledBroker, TOPIC } from './controlled-broker.ts'

let stage: ControlledBroker

beforeEach(async () => {
  stage = new ControlledBroker(await startEmbeddedKafka({ topics: [TOPIC], controlPort: 0 }))
})
afterEach(() => stage.close())

const ask = (request: string, body?: unknown, headers: Record<string, string> = {}) =>
  controlRequest(stage.broker.controlPort, request, body, headers)

describe('the control API by HTTP', () => {
  it('describes just what it serves, in valid OpenAPI', async () => {
    const { body } = await ask('GET /openapi.json')
    expect(await new Validator().validate(structuredClone(body))).toMatchObject({ valid: true })
    const paths = Object.entries<object>(body.paths)
    const described = paths.flatMap(([path, item]) =>
      Object.keys(item).flatMap((method) => (method === 'parameters' ? [] : `${method.toUpperCase()} ${path}`)),
    )
    expect(described.sort()).toEqual(Object.keys(CONTROL_ROUTES).sort())
  })

  it('sets rules, tells how many requests met them, and deletes them', async () => {
    const rule = { kind: 'error', api: 'Produce', error: 'NOT_LEADER_OR_FOLLOWER', topic: TOPIC, times: 2 }
    const { status, body } = await ask('POST /rules', rule)
    expect({ status, body }).toMatchObject({ status: 201, body: { ...rule, hits: 0 } })
    await stage.send('twice refused')
    expect(await ask(`GET /rules/${body.id}`)).toMatchObject({ status: 200, body: { ...rule, hits: 2 } })
    expect(await ask('GET /rules')).toMatchObject({ body: { rules: [{ id: body.id }] } })
    expect(await ask(`DELETE /rules/${body.id}`)).toMatchObject({ status: 204, body: '' })
    expect(await ask(`DELETE /rules/${body.id}`)).toMatchObject({ status: 404 })
    expect(await ask(`GET /rules/${body.id}`)).toMatchObject({ status: 404 })
    await ask('POST /rules', rule)
    expect(await ask('DELETE /rules')).toMatchObject({ status: 204 })
    expect(await ask('GET /rules')).toMatchObject({ body: { rules: [] } })
  })

  it('lists clients and drops them', async () => {
    await stage.producer()
    expect(await ask('GET /clients')).toMatchObject({
      body: { clients: [{ clientId: 'test', host: '127.0.0.1', nodeId: 1 }] },
    })
    expect(await ask('DELETE /clients?clientId=other')).toMatchObject({ status: 200, body: { dropped: 0 } })
    expect(await ask('DELETE /clients?clientId=test')).toMatchObject({ status: 200, body: { dropped: 1 } })
  })

  it('moves the clock', async () => {
    const before = Date.parse((await ask('GET /clock')).body.now)
    const { body } = await ask('POST /clock', { advanceMs: 86_400_000 })
    expect(Date.parse(body.now)).toBeGreaterThanOrEqual(before + 86_400_000)
    expect(stage.control.now()).toBeGreaterThanOrEqual(before + 86_400_000)
  })

  it('shows groups, and waits until they have committed', async () => {
    expect(await ask('GET /groups/g')).toMatchObject({ status: 404 })
    await stage.send('one')
    const first = stage.consumer()
    await consumeUntil(first, TOPIC, 1)
    const path = `GET /groups/g/committed?topic=${TOPIC}`
    const place = { groupId: 'g', topic: TOPIC }
    expect((await ask(`${path}&offset=1&timeoutMs=90000`)).body).toEqual({ ...place, offset: 1, isReached: true })
    await first.disconnect()
    await stage.send('two')
    const group = { groupId: 'g', state: 'Empty', members: 0, lag: 1 }
    expect(await ask('GET /groups')).toMatchObject({ body: { groups: [group] } })
    const partitions = [{ topic: TOPIC, partition: 0, offset: 1, lag: 1 }]
    expect((await ask('GET /groups/g')).body).toEqual({ ...group, partitions })
    expect((await ask(`${path}&offset=2&timeoutMs=1`)).body).toEqual({ ...place, offset: 1, isReached: false })
    const waiting = ask(`${path}&offset=2&timeoutMs=90000`)
    await consumeUntil(stage.consumer(), TOPIC, 1)
    expect((await waiting).body).toEqual({ ...place, offset: 2, isReached: true })
  })

  it.each([
    ['POST /rules', { kind: 'pause' }, 400, 'topic'],
    ['POST /rules', '{', 400, 'body'],
    ['POST /rules', undefined, 400, 'rule'],
    ['POST /rules', '['.repeat(10_000), 400, 'body'],
    ['POST /clock', { advanceMs: 0 }, 400, 'advanceMs'],
    ['POST /clock', { advanceMs: 1e15 }, 400, 'advanceMs'],
    ['POST /clock', { advanceMs: 1, to: 'tomorrow' }, 400, 'to'],
    ['DELETE /clients?client=a', undefined, 400, 'client'],
    ['GET /groups/g/committed', undefined, 400, 'topic'],
    ['GET /groups/g/committed?topic=t&offset=x', undefined, 400, 'offset'],
    ['GET /groups/g/committed?topic=t&offset=1&timeoutMs=300001', undefined, 400, 'timeoutMs'],
    ['GET /groups/%zz', undefined, 400, 'path'],
    ['GET /topics', undefined, 404, undefined],
    ['POST /rules', ' '.repeat(16_385), 413, undefined],
  ])('answers %s with %j by a problem', async (request, body, status, field) => {
    const answer = await ask(request, body)
    expect(answer).toMatchObject({ status, type: 'application/problem+json', body: { status } })
    expect(answer.body.field).toBe(field)
  })

  it('decisions 3.65: says which methods there are, and refuses the scripts of web pages', async () => {
    expect(await ask('PUT /rules')).toMatchObject({ status: 405, allow: 'GET, POST, DELETE' })
    const fromPage = await ask('DELETE /clients', undefined, { origin: 'https://example.org' })
    expect(fromPage).toMatchObject({ status: 403, body: { detail: expect.stringContaining('web pages') } })
  })

  it('ends what waits when the broker is closed', async () => {
    const waiting = ask(`GET /groups/g/committed?topic=${TOPIC}&offset=1&timeoutMs=300000`).catch(() => 'ended')
    await ask('GET /clock')
    await stage.broker.close()
    expect(await waiting).toBe('ended')
  })
})

describe('the port of the control API', () => {
  it('decisions 3.65: is none by default, and must be free', async () => {
    await using broker = await startEmbeddedKafka()
    expect(broker.controlPort).toBeUndefined()
    const { controlPort = 0 } = stage.broker
    await expect(startEmbeddedKafka({ controlPort })).rejects.toThrow(ListenError)
    await expect(startEmbeddedKafka({ controlPort: 65_536 })).rejects.toThrow(OptionError)
  })

  it('is an option of the command, which says in its ready line what it is', async () => {
    const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
    await using child = startNode({
      name: 'embedded-kafka',
      args: [...endingWithParent(main), '--port', '0', '--control-port', '0'],
      env: { ...process.env, NODE_OPTIONS: '' },
    })
    const { controlPort } = await child.ready
    let status = 0
    await waitFor(async () => {
      status = (await fetch(`http://127.0.0.1:${controlPort}/rules`)).status
      return status > 0
    })
    expect(status).toBe(200)
  })
})
