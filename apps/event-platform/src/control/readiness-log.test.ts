import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { admit } from '../resources/admission.ts'
import { ResourceStore } from '../resources/resource-store.ts'
import { logReadiness } from './readiness-log.ts'

const KEY = { kind: 'Trigger', namespace: 'default', name: 'one' } as const

describe('logReadiness', () => {
  let store: ResourceStore
  let warnings: object[]
  let logging: Disposable
  const put = (type = 'greeting') => {
    const spec = { broker: 'gone', filter: { attributes: { type } }, subscriber: { uri: 'http://s.example' } }
    const trigger = { apiVersion: 'eventing.knative.dev/v1', kind: 'Trigger', metadata: { name: 'one' }, spec }
    store.put(admit(trigger).object)
  }
  const becomes = (status: string, reason = '', message = '') =>
    store.setStatus(KEY, { conditions: [{ type: 'Ready', status, reason, message }] })
  const line = (reason: string, message = '') => ({ object: 'Trigger default/one', reason, message })

  beforeEach(() => {
    vi.useFakeTimers()
    store = new ResourceStore()
    warnings = []
    logging = logReadiness({ store, log: { warn: (fields) => void warnings.push(fields) } })
    put()
  })
  afterEach(() => {
    logging[Symbol.dispose]()
    vi.useRealTimers()
  })

  it('logs an object that has not been ready for a second, with its reason, once', () => {
    becomes('False', 'BrokerDoesNotExist', 'Broker "gone" does not exist')
    vi.advanceTimersByTime(999)
    expect(warnings).toEqual([])
    vi.advanceTimersByTime(1)
    expect(warnings).toEqual([line('BrokerDoesNotExist', 'Broker "gone" does not exist')])
    becomes('False', 'BrokerDoesNotExist', 'the same in other words')
    vi.advanceTimersByTime(60_000)
    expect(warnings).toHaveLength(1)
  })

  it('says nothing of what is coming up, is ready in time or has been deleted', () => {
    becomes('Unknown', 'Provisioning')
    vi.advanceTimersByTime(60_000)
    becomes('False', 'BrokerDoesNotExist')
    vi.advanceTimersByTime(500)
    becomes('True')
    vi.advanceTimersByTime(60_000)
    becomes('False', 'BrokerDoesNotExist')
    store.delete(KEY)
    vi.advanceTimersByTime(60_000)
    expect(warnings).toEqual([])
  })

  it('logs another reason, another version of the object and what is not ready again', () => {
    const tell = (reason: string) => {
      becomes('False', reason)
      vi.advanceTimersByTime(1000)
    }
    tell('BrokerDoesNotExist')
    tell('NotSubscribed')
    put('other')
    vi.advanceTimersByTime(1000)
    becomes('True')
    tell('NotSubscribed')
    expect(warnings).toEqual(
      ['BrokerDoesNotExist', 'NotSubscribed', 'NotSubscribed', 'NotSubscribed'].map((reason) => line(reason)),
    )
  })

  it('says nothing any more once it is disposed of', () => {
    becomes('False', 'BrokerDoesNotExist')
    logging[Symbol.dispose]()
    vi.advanceTimersByTime(60_000)
    expect(warnings).toEqual([])
  })
})
