import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startKubeApi } from './kube-api.ts'
import { type KubectlSession, startKubectlSession, TRIGGER } from './kubectl.ts'

describe('contract 4.7: a session with stock kubectl', { tags: 'kubectl' }, () => {
  let session: KubectlSession
  const kubectl = (command: string, input?: string) => session.kubectl(command, input)
  beforeAll(async () => {
    session = await startKubectlSession()
  })
  afterAll(() => session?.[Symbol.asyncDispose]())

  it.each([
    'get triggers.v1beta1.eventing.knative.dev -o json',
    'get brokers,triggers,ksvc -A',
    'get knative',
    'get triggers -l eventing.knative.dev/broker=default -o name',
  ])('answers kubectl %s', async (command) => {
    expect(await kubectl(command)).toMatch(/trigger|broker/i)
  })

  it('applies, changes, patches, labels, waits for and deletes a trigger', async () => {
    expect(await kubectl('apply -f -', TRIGGER('one'))).toBe('trigger.eventing.knative.dev/extra created\n')
    expect(await kubectl('wait --for=condition=Ready trigger/extra --timeout=90s')).toMatch(/condition met/)
    expect(await kubectl('apply -f -', TRIGGER('one'))).toMatch(/unchanged/)
    expect(await kubectl('apply -f -', TRIGGER('two'))).toMatch(/configured/)
    const patch = '{"spec":{"filter":{"attributes":{"source":"/x"}}}}'
    expect(await kubectl(`patch trigger extra --type=merge -p ${patch}`)).toMatch(/patched/)
    const filter = await kubectl('get trigger extra -o jsonpath={.spec.filter.attributes}')
    expect(JSON.parse(filter)).toEqual({ type: 'two', source: '/x' })
    expect(await kubectl('label trigger extra team=events')).toMatch(/labeled/)
    expect(await kubectl('delete trigger extra')).toMatch(/deleted/)
    await expect(kubectl('get trigger extra')).rejects.toThrow(/NotFound/)
  })

  it('creates with server-side apply, and only asks with a dry run', async () => {
    expect(await kubectl('apply --server-side -f -', TRIGGER('one'))).toMatch(/serverside-applied/)
    expect(await kubectl('delete trigger extra --dry-run=server')).toMatch(/dry run/)
    expect(await kubectl('delete trigger extra')).toMatch(/deleted/)
  })

  it('contract 2.8: a namespace gets its default broker by the injection label', async () => {
    await kubectl('create namespace tap')
    await kubectl('label namespace tap eventing.knative.dev/injection=enabled')
    expect(await kubectl('wait --for=condition=Ready broker/default -n tap --timeout=90s')).toMatch(/condition met/)
    expect(await kubectl('delete namespace tap')).toMatch(/deleted/)
    await expect(kubectl('get broker default -n tap')).rejects.toThrow(/NotFound/)
  })

  it('writes with the token as password where others reach the API, and not without', async () => {
    const token = 'a-token-of-more-than-32-characters-0'
    await using api = await startKubeApi({ isLocalOnly: false, token })
    const create = (url: string) => session.kubectl('create namespace tap', '', url)
    await expect(create(api.url)).rejects.toThrow(/KUBE_TOKEN_FILE/)
    await expect(create(api.url.replace('//', '//kubectl:other@'))).rejects.toThrow(/KUBE_TOKEN_FILE/)
    expect(await create(api.url.replace('//', `//kubectl:${token}@`))).toMatch(/created/)
  })
})
