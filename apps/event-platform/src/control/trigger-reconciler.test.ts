import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Brokers } from '../eventing/brokers.ts'
import { admit } from '../resources/admission.ts'
import { ResourceStore } from '../resources/resource-store.ts'
import { CreatedGroups } from './created-groups.ts'
import { Provisioner } from './provisioner.ts'
import { TriggerReconciler } from './trigger-reconciler.ts'

describe('triggerReconciler', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const settle = () => vi.advanceTimersByTimeAsync(0)
  const trigger = (name: string, apiVersion = 'eventing.knative.dev/v1') =>
    admit({
      apiVersion,
      kind: 'Trigger',
      metadata: { name },
      spec: { broker: 'default', subscriber: { uri: 'http://subscriber.example' } },
    }).object

  /** A reconciler with the trigger `kept` and a fake Kafka. */
  function makeControl({ left = [] as readonly string[], areTriggersComplete = true } = {}) {
    const store = new ResourceStore()
    store.put(trigger('kept'))
    const topics = { startGroupAtEnd: vi.fn(async () => {}), deleteGroup: vi.fn(async () => {}) }
    const createdGroups = new CreatedGroups(left)
    const control = new TriggerReconciler({
      store,
      brokers: new Brokers({ outgoing: {} as never }),
      topics,
      provisioner: new Provisioner({ log: { warn: () => {} }, onChange: () => {}, refusalLimitMs: 1000 }),
      subscribe: () => ({ filterChanged: () => {}, [Symbol.asyncDispose]: async () => {} }) as never,
      areTriggersComplete,
      createdGroups,
      now: () => new Date(),
    })
    const reconcile = () => {
      const [kept] = store.resources('Trigger')
      if (kept === undefined) return expect.fail('no trigger')
      control.reconcile(kept, { state: { status: 'True' } })
    }
    return { store, control, topics, createdGroups, reconcile }
  }

  it('removes at its start what it made in an earlier life and has no more, and nothing else', async () => {
    const { topics, createdGroups } = makeControl({
      left: ['knative-trigger.default.kept', 'knative-trigger.default.gone'],
    })
    await settle()
    expect(topics.deleteGroup.mock.calls).toEqual([['knative-trigger.default.gone']])
    expect(createdGroups.ids).toEqual(['knative-trigger.default.kept'])
  })

  it('removes nothing while it does not know every trigger, and forgets none of it', async () => {
    const left = ['knative-trigger.default.gone']
    const { topics, createdGroups } = makeControl({ left, areTriggersComplete: false })
    await settle()
    expect(topics.deleteGroup).not.toHaveBeenCalled()
    expect(createdGroups.ids).toEqual(left)
  })

  it('knows a group as its own from before it is made until it is removed', async () => {
    const { control, topics, createdGroups, reconcile } = makeControl()
    topics.startGroupAtEnd.mockRejectedValueOnce(new Error('Kafka is away'))
    reconcile()
    await settle()
    expect(createdGroups.ids).toEqual(['knative-trigger.default.kept'])
    topics.deleteGroup.mockRejectedValueOnce(new Error('Kafka is away'))
    control.remove(trigger('kept'))
    await settle()
    expect(createdGroups.ids).toEqual(['knative-trigger.default.kept'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(createdGroups.ids).toEqual([])
  })

  it('leaves the group of a trigger alone that changes its API version', async () => {
    const { store, topics, reconcile } = makeControl()
    for (const apiVersion of ['eventing.knative.dev/v1beta1', 'eventing.knative.dev/v1']) {
      reconcile()
      store.put(trigger('kept', apiVersion))
      await settle()
    }
    reconcile()
    await settle()
    expect(topics.startGroupAtEnd).toHaveBeenCalledTimes(1)
    expect(topics.deleteGroup).not.toHaveBeenCalled()
  })
})
