import { waitFor } from '@taproom/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type KubeApi, makeTrigger, startKubeApi, TRIGGERS } from './kube-api.ts'

const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' }

describe('a watch of the resource API', () => {
  let api: KubeApi
  beforeEach(async () => {
    api = await startKubeApi()
  })
  afterEach(() => api[Symbol.asyncDispose]())

  it('watches from a version on, and all objects without one', async () => {
    await api.call('POST', TRIGGERS, makeTrigger('one'))
    const { resourceVersion } = (await api.call('GET', TRIGGERS)).body.metadata
    await api.call('POST', TRIGGERS, makeTrigger('two'))
    using later = api.watch(`${TRIGGERS}?watch=true&resourceVersion=${resourceVersion}`)
    using all = api.watch(`${TRIGGERS}?watch=1`, TABLE)
    await waitFor('both show what there is', () => later.lines.length >= 1 && all.lines.length >= 2)
    await api.call('DELETE', `${TRIGGERS}/two`)
    await waitFor('both show the deletion', () => later.lines.length >= 2 && all.lines.length >= 3)
    expect(later.lines.map(({ type }) => type)).toEqual(['ADDED', 'DELETED'])
    expect(all.lines.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'DELETED'])
    expect(all.lines.map(({ object }) => (object['columnDefinitions'] as unknown[]).length > 0)).toEqual([
      true,
      false,
      false,
    ])
  })

  it('says by a bookmark when a watcher with sendInitialEvents has all objects (KEP-3157)', async () => {
    await api.call('POST', TRIGGERS, makeTrigger('one'))
    const { resourceVersion } = (await api.call('GET', TRIGGERS)).body.metadata
    const initial = 'watch=True&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
    using all = api.watch(`${TRIGGERS}?${initial}`)
    using table = api.watch(`${TRIGGERS}?${initial}`, TABLE)
    await waitFor('both have the bookmark', () => all.lines.length >= 2 && table.lines.length >= 2)
    expect(all.lines[1]).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'Trigger',
        apiVersion: 'eventing.knative.dev/v1',
        metadata: {
          creationTimestamp: null,
          resourceVersion,
          annotations: { 'k8s.io/initial-events-end': 'true' },
        },
      },
    })
    expect(table.lines[1]).toMatchObject({ type: 'BOOKMARK', object: { kind: 'Table', rows: [] } })
    await api.call('DELETE', `${TRIGGERS}/one`)
    await waitFor('the deletion', () => all.lines.length >= 3)
    expect(all.lines.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK', 'DELETED'])
  })

  it('begins a watch with sendInitialEvents=false at the present, and refuses parameters that do not fit', async () => {
    await api.call('POST', TRIGGERS, makeTrigger('one'))
    using later = api.watch(`${TRIGGERS}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`)
    using marked = api.watch(`${TRIGGERS}?watch=1`)
    await waitFor('another watch has begun', () => marked.lines.length >= 1)
    await api.call('POST', TRIGGERS, makeTrigger('two'))
    await waitFor('the change', () => later.lines.length >= 1)
    expect(later.lines.map(({ object }) => (object['metadata'] as { name: string }).name)).toEqual(['two'])
    for (const query of ['sendInitialEvents=true', 'resourceVersionMatch=NotOlderThan']) {
      expect(await api.call('GET', `${TRIGGERS}?watch=1&${query}`)).toMatchObject({
        status: 422,
        body: { reason: 'Invalid' },
      })
    }
  })

  it.each([
    ['', 'List'],
    ['watch=false', 'List'],
    ['watch=0', 'List'],
    ['watch=FALSE', 'List'],
    ['watch=True', 'watch'],
    ['watch=yes', 'watch'],
  ])('reads %j as Kubernetes does: every value but false and 0 is true', async (query, expected) => {
    await api.call('POST', TRIGGERS, makeTrigger('one'))
    const response = await fetch(`${api.url}${TRIGGERS}?${query}&timeoutSeconds=1`)
    const first = JSON.parse((await response.text()).split('\n')[0] ?? '')
    expect(first.type === 'ADDED' ? 'watch' : first.kind.slice(-4)).toBe(expected)
  })

  it('makes a watcher that asks for a later version than there is start again', async () => {
    const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=99999'
    using later = api.watch(`${TRIGGERS}?watch=1&${initial}`)
    await waitFor('the error', () => later.lines.length >= 1)
    expect(later.lines[0]).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } })
  })

  it.each([
    ['resourceVersion=1&resourceVersionMatch=NotOlderThan', 200],
    ['resourceVersion=0&resourceVersionMatch=NotOlderThan', 200],
    ['resourceVersion=1&resourceVersionMatch=Exact', 410],
    ['resourceVersion=99999&resourceVersionMatch=NotOlderThan', 410],
    ['resourceVersion=0&resourceVersionMatch=Exact', 422],
    ['resourceVersionMatch=NotOlderThan', 422],
    ['resourceVersion=1&resourceVersionMatch=Newest', 422],
    ['sendInitialEvents=true', 422],
  ])('answers a list with %s by %i', async (query, status) => {
    await api.call('POST', TRIGGERS, makeTrigger('one'))
    expect((await api.call('GET', `${TRIGGERS}?${query}`)).status).toBe(status)
  })

  it('makes a watcher whose version is no longer known start again', async () => {
    using expired = api.watch(`${TRIGGERS}?watch=true&resourceVersion=999999`)
    await waitFor('the error', () => expired.lines.length >= 1)
    expect(expired.lines[0]).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } })
  })
})
