import { eventually } from '@taproom/testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Brokers } from '../eventing/brokers.ts'
import type { SubscriptionRoute } from '../eventing/subscription.ts'
import { admit } from '../resources/admission.ts'
import { findCondition, isReady } from '../resources/conditions.ts'
import { nameText } from '../resources/object.ts'
import { ResourceStore } from '../resources/resource-store.ts'
import type { Serving } from '../serving/serving.ts'
import { Controller } from './controller.ts'
import { CreatedGroups } from './created-groups.ts'

/** A controller with fakes for Kafka and processes; `opened` shows its subscriptions. */
function makeController() {
  const store = new ResourceStore()
  const routes = new Map<string, () => SubscriptionRoute>()
  const errors: object[] = []
  const failing = new Set<string>()
  const topics = {
    ensureTopic: vi.fn(async () => {}),
    deleteTopic: vi.fn(async () => {}),
    startGroupAtEnd: vi.fn(async () => {}),
    deleteGroup: vi.fn(async (_groupId: string) => {}),
  }
  const serving = { subscribe: () => () => {}, sync: () => {}, state: () => undefined }
  const controller = new Controller({
    store,
    serving: serving as unknown as Serving,
    brokers: new Brokers({ outgoing: { send: async () => ({ accepted: true }) } as never }),
    topics,
    partitions: 1,
    areTriggersComplete: true,
    createdGroups: new CreatedGroups(),
    sessionTimeoutMs: 6000,
    subscribe: ({ trigger: name, route }) => {
      const trigger = nameText(name)
      if (failing.has(trigger)) throw new Error('a defect')
      routes.set(trigger, route)
      return { filterChanged: () => {}, [Symbol.asyncDispose]: async () => void routes.delete(trigger) } as never
    },
    log: { warn: () => {}, error: (fields) => void errors.push(fields) },
  })
  const put = (kind: 'Broker' | 'Trigger', name: string, spec: object) =>
    store.put(admit({ apiVersion: 'eventing.knative.dev/v1', kind, metadata: { name }, spec }).object)
  const get = (kind: 'Broker' | 'Trigger', name: string, namespace = 'default') =>
    store.get({ kind, namespace, name }) ?? expect.fail(`no ${kind} ${name}`)
  return { store, controller, topics, routes, put, get, errors, failing }
}

const to = (path: string) => ({ uri: `http://subscriber.example/${path}` })

describe('controller', () => {
  let made: ReturnType<typeof makeController>
  afterEach(() => made.controller[Symbol.asyncDispose]())

  it.each([
    ['its own dead letter sink', { deadLetterSink: to('own') }, to('own').uri],
    ['the one of its broker when it says nothing of delivery', undefined, to('broker').uri],
    ['the one of its broker when it says anything else of delivery', { retry: 2 }, to('broker').uri],
  ])('decisions 1.76: gives a trigger %s', async (_case, delivery, expected) => {
    made = makeController()
    made.put('Broker', 'default', { delivery: { deadLetterSink: to('broker'), retry: 1 } })
    made.put('Trigger', 'one', { broker: 'default', subscriber: to('x'), ...(delivery && { delivery }) })
    await eventually(() => expect(isReady(made.get('Trigger', 'one'))).toBe(true))
    expect(made.routes.get('default/one')?.().deadLetterSink?.uri).toBe(expected)
    expect(made.get('Trigger', 'one').status?.['deadLetterSinkUri']).toBe(expected)
    expect(made.get('Broker', 'default').status?.['deadLetterSinkUri']).toBe(to('broker').uri)
  })

  it('decisions 3.14: takes a trigger before its broker, ready once that is there', async () => {
    made = makeController()
    made.put('Trigger', 'one', { broker: 'late', subscriber: to('x') })
    await eventually(() => expect(findCondition(made.get('Trigger', 'one'), 'Ready')).toBeDefined())
    expect(findCondition(made.get('Trigger', 'one'), 'BrokerReady')).toMatchObject({
      status: 'False',
      reason: 'BrokerDoesNotExist',
    })
    made.put('Broker', 'late', {})
    await eventually(() => expect(isReady(made.get('Trigger', 'one'))).toBe(true))
  })

  it('decisions 3.14: a trigger whose subscriber is not there is not ready and has no subscriberUri', async () => {
    made = makeController()
    made.put('Broker', 'default', {})
    const ref = { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'nobody' }
    made.put('Trigger', 'one', { broker: 'default', subscriber: { ref } })
    await eventually(() => expect(isReady(made.get('Broker', 'default'))).toBe(true))
    const { status } = made.get('Trigger', 'one')
    expect(status).not.toHaveProperty('subscriberUri')
    expect(findCondition(made.get('Trigger', 'one'), 'SubscriberResolved')?.['status']).toBe('False')
    expect(isReady(made.get('Trigger', 'one'))).toBe(false)
    expect(made.routes.size).toBe(0)
  })

  it('contract 2.8: makes the broker of a namespace with the injection label', async () => {
    made = makeController()
    const metadata = { name: 'tap', labels: { 'eventing.knative.dev/injection': 'enabled' } }
    made.store.put(admit({ apiVersion: 'v1', kind: 'Namespace', metadata }).object)
    await eventually(() => expect(isReady(made.get('Broker', 'default', 'tap'))).toBe(true))
    expect(made.get('Broker', 'default', 'tap').status).toMatchObject({
      address: { url: 'http://default-broker.tap.svc.cluster.local' },
    })
  })

  it('forgets topic and places of a broker that is deleted', async () => {
    made = makeController()
    made.put('Broker', 'default', {})
    made.put('Trigger', 'one', { broker: 'default', subscriber: to('x') })
    await eventually(() => expect(isReady(made.get('Trigger', 'one'))).toBe(true))
    made.store.delete({ kind: 'Broker', namespace: 'default', name: 'default' })
    await eventually(() => expect(made.topics.deleteTopic).toHaveBeenCalledWith('knative-broker.default.default'))
    await eventually(() => expect(made.topics.deleteGroup).toHaveBeenCalledWith('knative-trigger.default.one'))
    expect(isReady(made.get('Trigger', 'one'))).toBe(false)
  })

  it.each([
    ['trigger', 'Trigger', 'one', ['deleteGroup', 'startGroupAtEnd']],
    ['broker', 'Broker', 'default', ['deleteGroup', 'deleteTopic', 'ensureTopic', 'startGroupAtEnd']],
  ] as const)('a %s that is deleted and made again is a new one', async (_case, kind, name, expected) => {
    made = makeController()
    const broker = () => made.put('Broker', 'default', {})
    const trigger = () => made.put('Trigger', 'one', { broker: 'default', subscriber: to('x') })
    broker()
    trigger()
    await eventually(() => expect(isReady(made.get('Trigger', 'one'))).toBe(true))
    const calls: string[] = []
    for (const call of ['ensureTopic', 'deleteTopic', 'startGroupAtEnd', 'deleteGroup'] as const) {
      made.topics[call].mockImplementation(async () => void calls.push(call))
    }
    made.store.delete({ kind, namespace: 'default', name })
    if (kind === 'Broker') broker()
    else trigger()
    await eventually(() => expect(calls).toHaveLength(expected.length))
    expect(calls.filter((call) => call.endsWith('Group') || call.endsWith('End'))).toEqual([
      'deleteGroup',
      'startGroupAtEnd',
    ])
    expect([...calls].sort()).toEqual([...expected])
    await eventually(() => expect(isReady(made.get('Trigger', 'one'))).toBe(true))
  })

  it('keeps the places of triggers whose subscriber is away, and forgets those of a namespace that is deleted', async () => {
    made = makeController()
    made.store.put(admit({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }).object)
    made.put('Broker', 'default', {})
    made.put('Trigger', 'one', { broker: 'default', subscriber: to('x') })
    await eventually(() => expect(isReady(made.get('Trigger', 'one'))).toBe(true))
    const ref = { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'nobody' }
    made.put('Trigger', 'one', { broker: 'default', subscriber: { ref } })
    await eventually(() => expect(isReady(made.get('Trigger', 'one'))).toBe(false))
    made.put('Trigger', 'one', { broker: 'default', subscriber: to('y') })
    await eventually(() => expect(isReady(made.get('Trigger', 'one'))).toBe(true))
    expect(made.topics.deleteGroup).not.toHaveBeenCalled()
    expect(made.topics.startGroupAtEnd).toHaveBeenCalledTimes(1)
    made.store.delete({ kind: 'Namespace', name: 'default' })
    await eventually(() => expect(made.topics.deleteTopic).toHaveBeenCalledTimes(1))
    expect(made.topics.deleteGroup.mock.calls).toEqual([['knative-trigger.default.one']])
  })

  it('makes one object that cannot be reconciled not Ready with the reason, logged once, and all others work', async () => {
    made = makeController()
    made.failing.add('default/bad')
    made.put('Broker', 'default', {})
    for (const name of ['a', 'bad', 'c']) made.put('Trigger', name, { broker: 'default', subscriber: to('x') })
    await eventually(() => expect(['a', 'c'].every((name) => isReady(made.get('Trigger', name)))).toBe(true))
    expect(findCondition(made.get('Trigger', 'bad'), 'Ready')).toMatchObject({
      status: 'False',
      reason: 'ReconcileError',
      message: 'a defect',
    })
    expect(isReady(made.get('Broker', 'default'))).toBe(true)
    made.put('Trigger', 'later', { broker: 'default', subscriber: to('x') })
    await eventually(() => expect(isReady(made.get('Trigger', 'later'))).toBe(true))
    expect(made.errors).toEqual([{ object: 'Trigger/default/bad', err: expect.any(Error) }])
    made.failing.clear()
    made.controller.schedule()
    await eventually(() => expect(isReady(made.get('Trigger', 'bad'))).toBe(true))
  })

  it('comes to rest when a namespace cannot get its broker because the store is full', async () => {
    made = makeController()
    const namespace = (name: string, labels = {}) =>
      made.store.put(admit({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }).object)
    for (let index = 0; index < 999; index += 1) namespace(`n${index}`)
    namespace('tap', { 'eventing.knative.dev/injection': 'enabled' })
    await eventually(() => expect(made.errors).toHaveLength(1))
    await new Promise(setImmediate)
    const { version } = made.store
    made.controller.schedule()
    await new Promise(setImmediate)
    expect(made.store.version).toBe(version)
    const tap = made.store.get({ kind: 'Namespace', name: 'tap' }) ?? expect.fail('no namespace')
    expect(findCondition(tap, 'Ready')).toMatchObject({
      reason: 'ReconcileError',
      message: expect.stringContaining('quota'),
    })
  })
})
