import { once } from 'node:events'
import { request } from 'node:http'
import { startKafka, type TestKafka } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventHeaders, send, sendRaw } from './event-requests.ts'
import { type RunningPlatform, runPlatform } from './running-platform.ts'

const BROKER = 'apiVersion: eventing.knative.dev/v1\nkind: Broker\nmetadata: { name: default }\n'

const CLUSTER_HOST = 'default-broker.default.svc.cluster.local'

const LONGEST = { 'content-type': 'text/plain', 'ce-subject': 's'.repeat(8000) }

describe('broker ingress', () => {
  let kafka: TestKafka
  let running: RunningPlatform
  const broker = () => `${running.url}/default/default`

  beforeAll(async () => {
    kafka = await startKafka()
    running = await runPlatform({ bootstrapServers: kafka.bootstrapServers, files: { 'broker.yaml': BROKER } })
    await running.ready()
  })
  afterAll(async () => {
    await running?.[Symbol.asyncDispose]()
    await kafka?.[Symbol.asyncDispose]()
  })

  it('decisions 1.51: accepts an event with 202 and an empty body once Kafka has it', async () => {
    const { accepted } = running.platform.brokers.counters
    const answer = await send(broker(), { headers: eventHeaders(), body: '{"a":1}' })
    expect(answer).toMatchObject({ status: 202, body: '' })
    expect(running.platform.brokers.counters.accepted).toBe(accepted + 1)
  })

  it.each([
    ['decisions 1.64: an XML payload', { 'content-type': 'text/xml' }, '<a/>', 202],
    ['decisions 1.64: JSON that is no object', {}, '[1]', 400],
    ['decisions 1.64: broken JSON', {}, '{', 400],
    ['decisions 1.52: no ce-id', { 'ce-id': undefined }, '{}', 400],
    ['decisions 1.52: no ce-type', { 'ce-type': undefined }, '{}', 400],
    ['decisions 1.52: no ce-source', { 'ce-source': undefined }, '{}', 400],
    ['decisions 1.52: no ce-specversion', { 'ce-specversion': undefined }, '{}', 400],
    ['contract 2.7: no Content-Type', { 'content-type': undefined }, '{}', 400],
    ['neither data nor Content-Type', { 'content-type': undefined }, '', 202],
    ['decisions 1.63: specversion 0.3', { 'ce-specversion': '0.3' }, '{}', 400],
    ['decisions 1.63: specversion 19.0', { 'ce-specversion': '19.0' }, '{}', 400],
    ['decisions 1.52: an invalid time', { 'ce-time': 'yesterday' }, '{}', 400],
    ['decisions 1.52: an attribute name outside a-z0-9', { 'ce-my_attribute': '1' }, '{}', 400],
    ['decisions 1.61: batch mode', { 'content-type': 'application/cloudevents-batch+json' }, '[]', 400],
    ['a loop guard that is used up', { 'ce-knativebrokerttl': '1' }, '{}', 400],
    ['a loop guard with passes left', { 'ce-knativebrokerttl': '2' }, '{}', 202],
    ['exactly 1 MiB with long attributes', LONGEST, 'x'.repeat(1_048_576), 202],
    ['decisions 1.71: more than 1 MiB', { 'content-type': 'text/plain' }, 'x'.repeat(1_048_577), 413],
  ])('%s', async (_case, overrides: Record<string, string | undefined>, body, status) => {
    const answer = await send(broker(), { headers: eventHeaders(overrides), body })
    expect(answer.status).toBe(status)
    if (status === 202) expect(answer.body).toBe('')
    else expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
  })

  it('decisions 1.71: the problem names the limit', async () => {
    const answer = await send(broker(), { headers: eventHeaders(), body: `"${'x'.repeat(1_048_575)}"` })
    expect(JSON.parse(answer.body)).toMatchObject({ status: 413, detail: expect.stringContaining('1048576') })
  })

  it('decisions 1.52: the problem names the attribute', async () => {
    const answer = await send(broker(), { headers: eventHeaders({ 'ce-type': undefined }), body: '{}' })
    expect(JSON.parse(answer.body)).toMatchObject({ status: 400, attribute: 'type', code: 'EVENT_MISSING_ATTRIBUTE' })
  })

  it.each([
    ['a trailing slash', 'POST', '/default/default/', 202],
    ['an unknown broker', 'POST', '/default/other', 404],
    ['an unknown namespace', 'POST', '/other/default', 404],
    ['the root', 'POST', '/', 404],
    ['a path of one part', 'POST', '/default', 400],
    ['a path of three parts', 'POST', '/default/default/more', 400],
    ['an unknown sink', 'POST', '/sinks/nobody', 404],
    ['a sink that no service can be called', 'POST', '/sinks/%zz', 404],
    ['sinks without a name', 'POST', '/sinks', 404],
    ['a namespace that is not `sinks`', 'GET', '/SINKS/default', 405],
    ['a name in capital letters', 'POST', '/Default/default', 404],
    ['a slash that is encoded', 'POST', '/default%2fdefault', 400],
    ['a slash that is encoded behind the name', 'POST', '/default/default%2f', 404],
    ['two slashes at the end', 'POST', '/default/default//', 400],
    ['two slashes at the beginning', 'POST', '//default/default', 400],
    ['dots that are encoded', 'POST', '/default/%2e%2e', 404],
    ['an escape that is none', 'POST', '/default/%zz', 404],
    ['a query', 'POST', '/default/default?a=/b/c', 202],
    ['a query in the place of the path', 'POST', '/?/default/default', 404],
    ['a name of an object', 'POST', '/default/__proto__', 404],
    ['a very long name', 'POST', `/default/${'x'.repeat(10_000)}`, 404],
    ['a path of very many parts', 'POST', `/${'a/'.repeat(5000)}`, 400],
    ['a sink whose name is encoded with a slash', 'POST', '/sinks/a%2fb', 404],
    ['a sink in capital letters', 'POST', '/sinks/Nobody', 404],
    ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH'].map(
      (method): [string, string, string, number] => [method, method, '/default/default', 405],
    ),
  ])('answers %s', async (_case, method, path, status) => {
    const body = ['GET', 'HEAD', 'TRACE', 'DELETE'].includes(method) ? {} : { body: '{}' }
    const answer = await send(`${running.url}${path}`, { method, headers: eventHeaders(), ...body })
    expect(answer.status).toBe(status)
    expect(answer.body.length).toBeLessThan(1000)
    if (status === 405) expect(answer.headers['allow']).toBe('POST, OPTIONS')
  })

  it.each([
    ['HTTP/1.0 without a host', 'POST /default/default HTTP/1.0', '', 202],
    ['HTTP/1.0 with an empty host', 'POST /default/default HTTP/1.0', 'Host:\r\n', 202],
    ['HTTP/1.0 at a host of the cluster', 'POST / HTTP/1.0', `Host: ${CLUSTER_HOST}\r\n`, 202],
    ['dots', 'POST /default/../default/default HTTP/1.1', 'Host: localhost\r\n', 400],
    ['DELETE with a body', 'DELETE /default/default HTTP/1.1', 'Host: localhost\r\n', 405],
    ['HTTP/1.0 with GET', 'GET /default/default HTTP/1.0', '', 405],
    ['a host with a dot at its end', 'POST / HTTP/1.1', `Host: ${CLUSTER_HOST}.\r\n`, 202],
    ['a host in capital letters', 'POST / HTTP/1.1', `HOST: ${CLUSTER_HOST.toUpperCase()}:\r\n`, 202],
    ['a host with a port', 'POST / HTTP/1.1', `Host: ${CLUSTER_HOST}:8080\r\n`, 202],
    ['another path at the host of a broker', 'POST /x HTTP/1.1', `Host: ${CLUSTER_HOST}\r\n`, 400],
    ['a host of the cluster that nobody has', 'POST / HTTP/1.1', 'Host: x.default.svc.cluster.local\r\n', 404],
    ['a host of more labels', 'POST /default/default HTTP/1.1', `Host: x.${CLUSTER_HOST}\r\n`, 202],
    ['an address as target', 'POST http://localhost/default/default HTTP/1.1', 'Host: localhost\r\n', 202],
    ['every path', 'OPTIONS * HTTP/1.1', 'Host: localhost\r\n', 200],
  ])('answers %s', async (_case, line, host, status) => {
    const head = Object.entries({ ...eventHeaders(), connection: 'close', 'content-length': '2' })
    const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const answer = await sendRaw(running.url, `${line}\r\n${host}${lines}\r\n{}`)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })

  it('decisions 1.70: takes events at any rate', async () => {
    const posts = Array.from({ length: 100 }, () => send(broker(), { headers: eventHeaders(), body: '{}' }))
    expect(new Set((await Promise.all(posts)).map(({ status }) => status))).toEqual(new Set([202]))
  })

  it('takes no part of an event whose client leaves before its end, and no harm', async () => {
    const { accepted } = running.platform.brokers.counters
    const leaving = request(broker(), { method: 'POST', headers: { ...eventHeaders(), 'content-length': '10' } })
    leaving.on('error', () => {})
    leaving.write('{"a"')
    await once(leaving, 'socket').then(([socket]) => socket.connecting && once(socket, 'connect'))
    leaving.destroy()
    expect((await send(broker(), { headers: eventHeaders(), body: '{}' })).status).toBe(202)
    expect(running.platform.brokers.counters.accepted).toBe(accepted + 1)
  })

  it('answers OPTIONS as a CloudEvents webhook that anybody may use', async () => {
    const answer = await send(broker(), { method: 'OPTIONS' })
    expect(answer).toMatchObject({ status: 200, body: '' })
    expect(answer.headers).toMatchObject({
      allow: 'POST, OPTIONS',
      'webhook-allowed-origin': '*',
      'webhook-allowed-rate': '*',
    })
  })
})

describe('broker ingress without Kafka', () => {
  it('decisions 1.65: a known broker that is not ready is 503 with Retry-After, an unknown one 404; readiness is DOWN', async () => {
    await using running = await runPlatform({ bootstrapServers: '127.0.0.1:1', files: { 'broker.yaml': BROKER } })
    const known = await send(`${running.url}/default/default`, { headers: eventHeaders(), body: '{}' })
    expect(known.status).toBe(503)
    expect(Number(known.headers['retry-after'])).toBeGreaterThan(0)
    const unknown = await send(`${running.url}/default/other`, { headers: eventHeaders(), body: '{}' })
    expect(unknown.status).toBe(404)
    expect((await send(`${running.url}/q/health/ready`, { method: 'GET' })).status).toBe(503)
    expect((await send(`${running.url}/q/health/live`, { method: 'GET' })).status).toBe(200)
  })
})
