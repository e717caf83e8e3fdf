import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { send } from './event-requests.ts'
import { BROKERS, type KubeApi, makeBroker, startKubeApi, TRIGGERS } from './kube-api.ts'

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

describe('resource API, whatever it is sent', () => {
  let api: KubeApi
  beforeEach(async () => {
    api = await startKubeApi()
  })
  afterEach(async () => {
    await api[Symbol.asyncDispose]()
    expect(api.errors).toEqual([])
  })

  const body = (config: string) => JSON.stringify(makeBroker('x')).replace('{}', config)
  it.each([
    ['POST', BROKERS, 'application/json', body(nested(6000))],
    ['POST', BROKERS, 'application/yaml', body(nested(6000))],
    ['POST', BROKERS, 'application/yaml', `spec: ${'{a: '.repeat(6000)}`],
    ['PUT', `${BROKERS}/there`, 'application/json', body(nested(6000))],
    ['PATCH', `${BROKERS}/there`, 'application/merge-patch+json', `{"spec":{"config":${nested(6000)}}}`],
    ['PATCH', `${BROKERS}/there`, 'application/strategic-merge-patch+json', `{"spec":{"config":${nested(6000)}}}`],
    [
      'PATCH',
      `${BROKERS}/there`,
      'application/json-patch+json',
      `[{"op":"add","path":"/spec/config","value":${nested(6000)}}]`,
    ],
    ['PATCH', `${BROKERS}/new`, 'application/apply-patch+yaml', body(nested(6000))],
    ['PATCH', `${BROKERS}/there`, 'application/apply-patch+yaml', body(nested(6000))],
    ['DELETE', `${BROKERS}/there`, 'application/json', nested(6000)],
  ])('%s %s as %s refuses 6000 levels, naming the rule, and goes on', async (method, path, type, text) => {
    await api.call('POST', BROKERS, makeBroker('there'))
    const answer = await api.call(method, path, text, { 'content-type': type })
    expect(answer).toMatchObject({
      status: 400,
      body: { kind: 'Status', message: expect.stringContaining('100 levels') },
    })
    expect((await api.call('GET', BROKERS)).body.items).toHaveLength(1)
  })

  it('refuses operations of a JSON patch that together make an object too deep', async () => {
    await api.call('POST', BROKERS, makeBroker('there', { a: 1 }))
    const value = JSON.parse(nested(90))
    const patch = [
      { op: 'replace', path: '/spec/config', value },
      { op: 'replace', path: `/spec/config${'/a'.repeat(90)}`, value },
    ]
    const answer = await api.call('PATCH', `${BROKERS}/there`, patch, { 'content-type': 'application/json-patch+json' })
    expect(answer).toMatchObject({ status: 422, body: { message: expect.stringContaining('100 levels') } })
  })

  it.each([
    ['a name that is no text', makeBroker({ toString: 1 }), 422],
    ['a name of a path', makeBroker('../x'), 422],
    ['a name every object has', makeBroker('__proto__'), 422],
    ['labels that are no texts', { ...makeBroker('x'), metadata: { name: 'x', labels: { a: { toString: 1 } } } }, 422],
    ['another namespace', { ...makeBroker('x'), metadata: { name: 'x', namespace: { toString: 1 } } }, 400],
    ['a kind that is no text', { ...makeBroker('x'), kind: { toString: 1 } }, 422],
    ['a list', [], 400],
    ['null', 'null', 400],
    ['nothing', undefined, 400],
    ['one text of 1 MiB', JSON.stringify('x'.repeat(1_000_000)), 400],
    ['more than 256 KiB', makeBroker('x', 'x'.repeat(262_144)), 422],
    ['more than 1 MiB', makeBroker('x', 'x'.repeat(1_048_577)), 413],
    ['a quarter of a million values', `[${'0,'.repeat(250_000)}0]`, 400],
  ])('answers %s with a Status of its own', async (_case, object, status) => {
    const answer = await api.call('POST', BROKERS, object)
    expect(answer).toMatchObject({ status, body: { kind: 'Status', code: status } })
    expect(answer.body.message.length).toBeLessThan(20_000)
    expect(api.store.list('Broker')).toEqual([])
  })

  it.each([
    ['__proto__', '{"__proto__":{"polluted":1}}'],
    ['a prototype', '{"constructor":{"prototype":{"polluted":1}}}'],
  ])('gets no property of all objects from a merge patch of %s', async (_case, text) => {
    await api.call('POST', BROKERS, makeBroker('there'))
    await api.call('PATCH', `${BROKERS}/there`, text, { 'content-type': 'application/merge-patch+json' })
    expect({}).not.toHaveProperty('polluted')
  })

  it.each([
    ['/apis/%zz', 400],
    ['/apis/%zz/%zz', 400],
    ['/api/v1/namespaces/%2e%2e/events', 200],
    ['/apis/__proto__', 404],
    ['/apis/constructor/prototype', 404],
    ['/openapi/v3/apis/__proto__/v1', 404],
    [`${TRIGGERS}/__proto__`, 404],
    [`${TRIGGERS}/..%2f..%2fx`, 404],
    [`${TRIGGERS}/x/scale`, 404],
    [`${TRIGGERS}?resourceVersion=abc`, 400],
    [`${TRIGGERS}?resourceVersion=-1&watch=1`, 400],
    [`${TRIGGERS}?resourceVersion=1e3&watch=1`, 400],
    [`${TRIGGERS}?resourceVersion=1&resourceVersion=2`, 400],
    [`${TRIGGERS}?watch=true&watch=false`, 400],
    [`${TRIGGERS}?watch=1&timeoutSeconds=-5`, 400],
    [`${TRIGGERS}?watch=1&timeoutSeconds=Infinity`, 400],
    [`${TRIGGERS}?labelSelector=a&labelSelector=b`, 400],
    [`${TRIGGERS}?labelSelector=${'a,'.repeat(101)}`, 400],
    [`${TRIGGERS}?fieldSelector=spec.broker%3Dx`, 400],
    [`${TRIGGERS}?limit=x`, 400],
    [`${TRIGGERS}?limit=1&continue=x`, 400],
    [`${TRIGGERS}?limit=500`, 200],
    [`${TRIGGERS}?labelSelector=__proto__`, 200],
  ])('answers GET %s with %d', async (path, status) => {
    expect((await api.call('GET', path)).status).toBe(status)
  })

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'])(
    'answers %s where it is not possible with 405 and what is',
    async (method) => {
      for (const [path, allow] of [
        [TRIGGERS, 'GET, HEAD, POST'],
        ['/version', 'GET, HEAD'],
        ['/', 'GET, HEAD'],
        ['/apis', 'GET, HEAD'],
        ['/apis/eventing.knative.dev/v1', 'GET, HEAD'],
      ]) {
        const answer = await api.call(method, path ?? '')
        expect([path, answer.status, answer.headers['allow']]).toEqual([path, 405, allow])
      }
    },
  )

  it('answers HEAD as GET, without a body', async () => {
    await api.call('POST', BROKERS, makeBroker('there'))
    for (const [path, status] of [
      [BROKERS, 200],
      [`${BROKERS}?watch=1`, 200],
      [`${BROKERS}/there`, 200],
      [`${BROKERS}/there/status`, 200],
      [`${BROKERS}/gone`, 404],
      ['/version', 200],
    ] as const) {
      expect([path, await send(`${api.url}${path}`, { method: 'HEAD' })]).toEqual([
        path,
        expect.objectContaining({ status, body: '' }),
      ])
    }
  })

  it('answers a body that is refused before it has come, and closes the connection', async () => {
    const head = `POST ${BROKERS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
    expect(await api.raw(`${head}Content-Length: 99999999\r\n\r\n{`)).toMatch(
      /^HTTP\/1\.1 413 [\s\S]*Connection: close/i,
    )
    expect(await api.raw(`${head}Content-Encoding: gzip\r\nContent-Length: 10\r\n\r\n{`)).toMatch(/^HTTP\/1\.1 415 /)
  })

  it('changes what is there when the whole request has come, not when it began', async () => {
    await api.call('POST', BROKERS, makeBroker('there'))
    const text = JSON.stringify(makeBroker('there', { late: true }))
    const head = `PUT ${BROKERS}/there HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n`
    const deleted = () => api.call('DELETE', `${BROKERS}/there`).then(() => text.slice(5))
    const answer = api.raw(head + text.slice(0, 5), deleted())
    expect(await answer).toMatch(/^HTTP\/1\.1 404 /)
    expect(api.store.list('Broker')).toEqual([])
  })

  it('deletes nothing that is not what the request says', async () => {
    const { body: created } = await api.call('POST', BROKERS, makeBroker('there'))
    for (const preconditions of [{ uid: 'other' }, { resourceVersion: '999' }, { uid: { toString: 1 } }]) {
      expect((await api.call('DELETE', `${BROKERS}/there`, { preconditions })).status).toBe(409)
    }
    for (const query of ['?dryRun=All', '?dryRun=All&dryRun=', '?dryRun=x']) {
      expect((await api.call('DELETE', `${BROKERS}/there${query}`)).status).toBe(200)
    }
    expect((await api.call('DELETE', `${BROKERS}/there`, { dryRun: ['All'] })).status).toBe(200)
    expect(
      (await api.call('DELETE', `${BROKERS}/there`, 'k8s\0', { 'content-type': 'application/vnd.kubernetes.protobuf' }))
        .status,
    ).toBe(415)
    expect(api.store.list('Broker')).toHaveLength(1)
    const { uid } = created.metadata
    expect((await api.call('DELETE', `${BROKERS}/there`, { preconditions: { uid } })).status).toBe(200)
  })

  it('keeps 1000 objects at most', async () => {
    for (let index = 0; index < 999; index += 1) {
      api.store.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: `n${index}` } })
    }
    expect(await api.call('POST', BROKERS, makeBroker('more'))).toMatchObject({
      status: 403,
      body: { reason: 'Forbidden', message: 'exceeded quota: at most 1000 objects are kept' },
    })
  })
})
