import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHttpServer, waitFor } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Verdict, Verdicts } from '../../src/api/verdicts.ts'
import { driven } from '../fixtures/driven.ts'
import { startSystem, waitUntilUsed } from '../fixtures/system.ts'

const MANIFESTS = new URL('../../../../deploy/knative/', import.meta.url)
const SINK = { apiVersion: 'serving.knative.dev/v1', kind: 'Service' }

const TO = 'broker: default, subscriber: {uri: "http://example.org/"}'
const manifest = (kind: string, spec: string) =>
  `apiVersion: eventing.knative.dev/v1\nkind: ${kind}\nmetadata: {name: broken, namespace: default}\n${spec}\n`

const opened = new AsyncDisposableStack()
let folder: string
let kube: string
let system: ReturnType<typeof driven>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproom-manifests-'))
  opened.defer(() => rm(folder, { recursive: true }))
  await cp(MANIFESTS, folder, { recursive: true })
  const started = opened.use(await startSystem({ MANIFESTS: folder }))
  await waitUntilUsed(started)
  kube = started.kube
  system = driven(started)
})
afterAll(() => opened.disposeAsync())

function verdict(part: string, problem: RegExp): Promise<Verdict> {
  return waitFor(`${part}: ${problem}`, async () => {
    const { body } = await system.get('/api/verdicts')
    return (body as Verdicts).items.find((each) => each.part === part && problem.test(each.problem))
  })
}
async function send(type: string): Promise<void> {
  const event = { type, source: '/test' }
  const { body } = await system.post('/api/events', { broker: 'default/default', mode: 'binary', event })
  expect(body.answer.status).toBe(202)
}
const subscriber = (name: string) => ({ ref: { ...SINK, name } })
const matching = (type: string) => ({ attributes: { type } })

async function apply(body: object): Promise<void> {
  const url = `${kube}/apis/serving.knative.dev/v1/namespaces/default/services`
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), headers: JSON_TYPE })
  if (response.status !== 201) throw new Error(await response.text())
}
const JSON_TYPE = { 'Content-Type': 'application/json' }

describe('verdicts of events', () => {
  it('are none while events are delivered', async () => {
    await send('greeting')
    await waitFor('no verdicts', async () => (await system.get('/api/verdicts')).body.items.length === 0)
  })

  it('name a broker that does not exist, and the one that was meant', async () => {
    await system.create('Trigger', 'misled', { broker: 'defualt', subscriber: subscriber('eventingaloha') })
    const { problem } = await verdict('trigger/default/misled', /broker/)
    expect(problem).toBe('trigger misled: broker "defualt" does not exist; did you mean default?')
  })

  it('name a subscriber that does not exist, and the one that was meant', async () => {
    await system.create('Trigger', 'alone', { broker: 'default', subscriber: subscriber('eventingalhoa') })
    const { problem } = await verdict('trigger/default/alone', /subscriber/)
    expect(problem).toBe('trigger alone: subscriber Service eventingalhoa does not exist; did you mean eventingaloha?')
  })

  it('name a typo in the value of a filter, and the nearest that came', async () => {
    const filter = matching('greting')
    await system.make('Trigger', 'mistyped', { broker: 'default', filter, subscriber: subscriber('eventingaloha') })
    await send('greeting')
    const { problem, remedy } = await verdict('trigger/default/mistyped', /typo/)
    expect(problem).toMatch(/filter wants type "greting"; nearest type seen: greeting$/)
    expect(remedy).toContain('Write greeting in place of greting')
  })

  it('name a typo in the attribute of a filter', async () => {
    const filters = [{ exact: { tpye: 'greeting' } }]
    await system.make('Trigger', 'misnamed', { broker: 'default', filters, subscriber: subscriber('eventingaloha') })
    await send('greeting')
    expect((await verdict('trigger/default/misnamed', /typo/)).problem).toContain('did you mean type?')
  })

  it('name the line by which a sink crashes, at the sink and at its trigger', async () => {
    const containers = [{ image: 'event-sinks', args: ['aloha-sink'], env: [{ name: 'LOG_LEVEL', value: 'loud' }] }]
    await apply({ ...SINK, metadata: { name: 'crashing' }, spec: { template: { spec: { containers } } } })
    const filter = matching('to-crash')
    await system.make('Trigger', 'crashed', { broker: 'default', filter, subscriber: subscriber('crashing') })
    await send('to-crash')
    const { problem } = await verdict('sink/default/crashing', /crash/)
    expect(problem).toMatch(/starts? failed: .*LOG_LEVEL.*loud/)
    await verdict('trigger/default/crashed', /failed.*LOG_LEVEL.*loud/)
  })

  it('name a subscriber that does not answer, while the first attempt goes on', async () => {
    await using slow = await startHttpServer(() => undefined)
    const target = { uri: slow.url }
    await system.make('Trigger', 'slow', { broker: 'default', filter: matching('to-wait'), subscriber: target })
    await send('to-wait')
    expect((await verdict('trigger/default/slow', /slow/)).problem).toMatch(/1 delivery waits for an answer/)
  })

  it.each([
    ['a.yaml', 'a: [', /a\.yaml refused/],
    ['b.yaml', 'apiVersion: eventing.knative.dev/v1\nkind: Triger\nmetadata: {name: b}\n', /b\.yaml refused: .*kind/],
    ['c.yaml', manifest('Trigger', 'spec: {broker: default}'), /c\.yaml refused: spec\.subscriber/],
    ['d.yaml', manifest('Trigger', `spec: {${TO}, filters: [{exact: {Type: x}}]}`), /spec\.filters\[0\]\.exact\.Type/],
    ['e.yaml', manifest('Trigger', `spec: {${TO}, filtres: []}`), /filtres/],
  ])('name what is wrong in the manifest %s', async (file, text, problem) => {
    await writeFile(join(folder, file), text)
    expect((await verdict(`manifest/${file}`, problem)).evidence).toMatchObject({ file })
  })

  it('name an open circuit breaker, with the last failed call', async () => {
    expect((await system.put('/api/faults/film-standin', { mode: 'failing' })).status).toBe(200)
    const found = await waitFor('an open breaker', async () => {
      await (await fetch(`${system.gateway}/movie?year=1980`)).text()
      const { items } = (await system.get('/api/verdicts?name=movie-api')).body as Verdicts
      return items.find(({ problem }) => /circuit breaker.*answered/.test(problem))
    })
    expect(found.problem).toMatch(
      /^Film service circuit breaker of movie-api is (open|half-open), .*GET http.* answered 503/,
    )
  })
})
