import { createLogger, type HttpServer, listen } from '@taproom/service'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createKubeApp } from '../src/kube/kube-app.ts'
import { ResourceStore } from '../src/resources/resource-store.ts'
import { send } from './event-requests.ts'
import { makeTrigger, TRIGGERS } from './kube-api.ts'

const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' }

describe('resource API', () => {
  let server: HttpServer
  let store: ResourceStore
  const shutdown = new AbortController()
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await send(`${server.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: answer.status, body: JSON.parse(answer.body) }
  }
  beforeEach(async () => {
    store = new ResourceStore()
    store.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } })
    const log = createLogger('test', { level: 'silent' })
    const app = createKubeApp({ store, log, shutdown: shutdown.signal })
    server = await listen(app, { host: '127.0.0.1', port: 0, drainMs: 100 })
  })
  afterEach(() => server[Symbol.asyncDispose]())

  it('contract 9: discovers both versions of triggers and v1 of services', async () => {
    expect((await call('GET', '/APIS')).status).toBe(404)
    const { body: groups } = await call('GET', '/apis')
    const versions = groups.groups.map((group: { name: string; versions: { version: string }[] }) => [
      group.name,
      group.versions.map(({ version }) => version),
    ])
    expect(Object.fromEntries(versions)).toEqual({
      'eventing.knative.dev': ['v1', 'v1beta1', 'v1alpha1'],
      'serving.knative.dev': ['v1'],
    })
    const { body: list } = await call('GET', '/apis/eventing.knative.dev/v1beta1')
    expect(list.resources.map(({ name }: { name: string }) => name)).toEqual(['brokers', 'triggers'])
  })

  it('says at / which paths there are, and answers at each of them', async () => {
    const { status, body } = await call('GET', '/')
    expect(status).toBe(200)
    expect(body.paths).toEqual(expect.arrayContaining(['/apis', '/apis/serving.knative.dev/v1', '/openapi/v3']))
    for (const path of body.paths) {
      expect([path, (await send(`${server.url}${path}`, { method: 'GET' })).status]).toEqual([path, 200])
    }
  })

  it('creates, reads, replaces and deletes', async () => {
    const created = await call('POST', TRIGGERS, makeTrigger('one'))
    expect(created).toMatchObject({ status: 201, body: { metadata: { name: 'one', generation: 1 } } })
    expect((await call('GET', `${TRIGGERS}/one`)).body).toEqual(created.body)
    const replaced = await call('PUT', `${TRIGGERS}/one`, makeTrigger('one', { type: 'other' }))
    expect(replaced.body.metadata).toMatchObject({ uid: created.body.metadata.uid, generation: 2 })
    expect(await call('DELETE', `${TRIGGERS}/one`)).toMatchObject({ status: 200, body: { status: 'Success' } })
    expect(await call('GET', `${TRIGGERS}/one`)).toMatchObject({
      status: 404,
      body: { kind: 'Status', reason: 'NotFound', message: 'triggers.eventing.knative.dev "one" not found' },
    })
  })

  it('refuses traffic to another revision than the latest, naming the field, and keeps what was there', async () => {
    const services = '/apis/serving.knative.dev/v1/namespaces/default/services'
    const template = { metadata: { name: 'sink-v2' }, spec: { containers: [{ image: 'event-sinks' }] } }
    const service = { apiVersion: 'serving.knative.dev/v1', kind: 'Service', metadata: { name: 'sink' } }
    await call('POST', services, { ...service, spec: { template } })
    const traffic = [{ revisionName: 'sink-v1', percent: 100 }]
    const headers = { 'content-type': 'application/merge-patch+json' }
    expect(await call('PATCH', `${services}/sink`, { spec: { traffic } }, headers)).toMatchObject({
      status: 422,
      body: { reason: 'Invalid', details: { causes: [{ field: 'spec.traffic[0].revisionName' }] } },
    })
    expect((await call('GET', `${services}/sink`)).body.spec).toEqual({ template })
  })

  it('gives objects in the version that is asked for', async () => {
    await call('POST', TRIGGERS, makeTrigger('one'))
    const { body } = await call('GET', `${TRIGGERS.replace('v1', 'v1beta1')}/one`)
    expect(body.apiVersion).toBe('eventing.knative.dev/v1beta1')
  })

  it('lists over all namespaces, by labels and by name', async () => {
    for (const name of ['one', 'two', 'three']) {
      await call('POST', TRIGGERS, makeTrigger(name, { labels: { team: name === 'two' ? 'b' : 'a' } }))
    }
    const names = async (query: string) =>
      (await call('GET', `/apis/eventing.knative.dev/v1/triggers?${query}`)).body.items.map(
        ({ metadata }: { metadata: { name: string } }) => metadata.name,
      )
    expect(await names('')).toEqual(['one', 'three', 'two'])
    expect(await names('labelSelector=team%3Da')).toEqual(['one', 'three'])
    expect(await names('labelSelector=team%20notin%20(a,c)')).toEqual(['two'])
    expect(await names('labelSelector=team%2C!other')).toHaveLength(3)
    expect(await names('fieldSelector=metadata.name%3Dtwo')).toEqual(['two'])
  })

  it('contract 2.9: lists as a table with READY, BROKER and SUBSCRIBER_URI', async () => {
    await call('POST', TRIGGERS, makeTrigger('one'))
    const key = { kind: 'Trigger', namespace: 'default', name: 'one' } as const
    store.setStatus(key, { conditions: [{ type: 'Ready', status: 'True' }], subscriberUri: 'http://s.example' })
    const { body } = await call('GET', TRIGGERS, undefined, TABLE)
    expect(body.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual([
      'Name',
      'Broker',
      'Subscriber_URI',
      'Age',
      'Ready',
      'Reason',
    ])
    expect(body.rows[0].cells).toEqual(['one', 'default', 'http://s.example', expect.any(String), 'True', null])
  })

  it.each([
    [
      'a merge patch',
      'application/merge-patch+json',
      { spec: { filter: { attributes: { type: null, source: 'x' } } } },
    ],
    [
      'a JSON patch',
      'application/json-patch+json',
      [
        { op: 'test', path: '/spec/filter/attributes/type', value: 'greeting' },
        { op: 'remove', path: '/spec/filter/attributes/type' },
        { op: 'add', path: '/spec/filter/attributes/source', value: 'x' },
      ],
    ],
  ])('changes an object by %s', async (_case, type, patch) => {
    await call('POST', TRIGGERS, makeTrigger('one'))
    const { status, body } = await call('PATCH', `${TRIGGERS}/one`, patch, { 'content-type': type })
    expect(status).toBe(200)
    expect(body.spec.filter).toEqual({ attributes: { source: 'x' } })
  })

  it('takes YAML', async () => {
    const yaml = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: tap }\n'
    expect(await call('POST', '/api/v1/namespaces', yaml, { 'content-type': 'application/yaml' })).toMatchObject({
      status: 201,
    })
  })

  it.each([
    ['a second object of the same name', 'POST', TRIGGERS, makeTrigger('there'), 409, 'AlreadyExists'],
    ['an invalid object', 'POST', TRIGGERS, makeTrigger('new', { spec: { delivery: { retry: -1 } } }), 422, 'Invalid'],
    ['another broker', 'PUT', `${TRIGGERS}/there`, makeTrigger('there', { spec: { broker: 'b' } }), 422, 'Invalid'],
    ['a name that is not the one of the path', 'PUT', `${TRIGGERS}/there`, makeTrigger('x'), 400, 'BadRequest'],
    ['a namespace that does not exist', 'POST', TRIGGERS.replace('default', 'x'), makeTrigger('x'), 404, 'NotFound'],
    ['an outdated version', 'PATCH', `${TRIGGERS}/there`, { metadata: { resourceVersion: '1' } }, 409, 'Conflict'],
    ['broken JSON', 'POST', TRIGGERS, '{', 400, 'BadRequest'],
    ['another kind than the path names', 'POST', TRIGGERS, { ...makeTrigger('x'), kind: 'Broker' }, 422, 'Invalid'],
    ['deleting the namespace default', 'DELETE', '/api/v1/namespaces/default', undefined, 403, 'Forbidden'],
    ['an unknown path', 'GET', '/apis/apps/v1/deployments', undefined, 404, 'NotFound'],
    ['an unknown method', 'PUT', TRIGGERS, makeTrigger('x'), 405, 'MethodNotAllowed'],
    ['an invalid label selector', 'GET', `${TRIGGERS}?labelSelector=a(b`, undefined, 400, 'BadRequest'],
  ])('refuses %s', async (_case, method, path, body, status, reason) => {
    await call('POST', TRIGGERS, makeTrigger('there'))
    const headers = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {}
    const answer = await call(method, path, body, headers)
    expect(answer).toMatchObject({ status, body: { kind: 'Status', status: 'Failure', reason, code: status } })
  })

  it('refuses requests that a web page could make in a visitor of this machine', async () => {
    const body = JSON.stringify(makeTrigger('one'))
    const elsewhere = await send(`${server.url}${TRIGGERS}`, { method: 'GET', headers: { host: 'evil.example' } })
    expect(elsewhere.status).toBe(403)
    for (const headers of [{ 'content-type': 'text/plain' }, {}]) {
      expect((await send(`${server.url}${TRIGGERS}`, { headers, body })).status).toBe(415)
    }
    expect(store.list('Trigger')).toEqual([])
  })

  it('names every broken rule with its field', async () => {
    const { body } = await call('POST', TRIGGERS, makeTrigger('one', { spec: { delivery: { retry: -1 }, broker: 1 } }))
    expect(body.details.causes.map(({ field }: { field: string }) => field).sort()).toEqual([
      'spec.broker',
      'spec.delivery.retry',
    ])
  })
})
