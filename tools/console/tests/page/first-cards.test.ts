import { describe, expect, it } from 'vitest'
import { chosenBreaker, chosenEvent, chosenStream } from '../../page/first-cards/chosen.ts'
import type { Eventing } from '../../src/api/eventing.ts'
import type { OperationView } from '../../src/api/requests.ts'

type Trigger = Eventing['triggers'][number]

const trigger = (name: string, filter: unknown): Trigger => ({
  ...{ namespace: 'default', name, ready: 'True', broker: 'main', filter, subscriber: '', wants: '' },
})
const operation = (path: string, more: Partial<OperationView> = {}): OperationView => ({
  ...{ method: 'GET', path, summary: '', isProtected: false, streams: false, parameters: [], ...more },
})

describe('decisions 3.175: the first cards', () => {
  it('send a greeting where a trigger takes one, else the first type that a trigger takes', () => {
    const [all, order, greeting] = [
      trigger('all', undefined),
      trigger('orders', { attributes: { type: 'order' } }),
      trigger('hello', { attributes: { type: 'greeting' } }),
    ]
    expect(chosenEvent({ triggers: [all, order, greeting] })).toEqual({ type: 'greeting', broker: 'default/main' })
    expect(chosenEvent({ triggers: [all, order] })?.type).toBe('order')
    expect(chosenEvent({ triggers: [all] })).toBeUndefined()
  })

  it('open a breaker of a service with a stand-in that can fail, and a path that needs no input', () => {
    const known = {
      apps: [{ name: 'shop', serves: ['/films', '/films/{id}'], standIns: ['kafka-here', 'film-standin'] }],
      breakers: [{ service: 'shop', name: 'Film service' }],
      faults: [
        { target: 'beer-standin', kind: 'stand-in', modes: ['failing'] },
        { target: 'film-standin', kind: 'stand-in', modes: ['none', 'failing'] },
      ],
      operations: [operation('/q/health'), operation('/films/{id}'), operation('/films')],
    } as const
    const chosen = { service: 'shop', name: 'Film service', standIn: 'film-standin', path: '/films' }
    expect(chosenBreaker({ ...known, operations: [operation('/q/health'), operation('/films')] })).toEqual(chosen)
    expect(chosenBreaker({ ...known, operations: [operation('/films', { isProtected: true })] })).toBeUndefined()
    expect(chosenBreaker({ ...known, faults: known.faults.slice(0, 1) })).toBeUndefined()
    expect(chosenBreaker({ ...known, breakers: [] })).toBeUndefined()
  })

  it('watch the first stream', () => {
    expect(chosenStream([operation('/beer/all'), operation('/beer', { streams: true })])).toBe('/beer')
    expect(chosenStream([operation('/beer/all')])).toBeUndefined()
  })
})
