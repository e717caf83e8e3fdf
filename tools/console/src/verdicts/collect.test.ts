import { describe, expect, it } from 'vitest'
import type { Eventing } from '../api/eventing.ts'
import { createLogStore } from '../logs/log-store.ts'
import { TraceStore } from '../traces/trace-store.ts'
import { createVerdicts } from './collect.ts'

const SYSTEM = {
  ...{ name: 'Test', url: 'http://127.0.0.1:1', healthRootPath: '/q/health', issuers: [], apps: [] },
  resourceApi: 'http://127.0.0.1:1',
}
const LONELY = { namespace: 'default', name: 'lonely', ready: 'False', message: 'no topic' }

function verdictsOf(eventing: unknown, system = async () => SYSTEM) {
  return createVerdicts({
    system,
    services: async () => [],
    health: async () => ({ services: [] }),
    picture: async () => ({ nodes: [], edges: [] }),
    eventing: async () => eventing as Eventing,
    askKafka: undefined,
    topics: undefined,
    logs: createLogStore(),
    traces: new TraceStore(),
  })
}

describe('createVerdicts', () => {
  it('names an area whose objects cannot be judged, and judges the others', async () => {
    const { items, unknown } = await verdictsOf({ brokers: [LONELY], triggers: [null], sinks: [] })()
    expect(items).toMatchObject([{ part: 'broker/default/lonely', problem: expect.stringContaining('no topic') }])
    expect(unknown).toEqual({ triggers: expect.stringContaining('null') })
  })

  it('asks again after the system did not answer', async () => {
    let times = 0
    const read = verdictsOf({ brokers: [], triggers: [], sinks: [] }, async () => {
      times += 1
      if (times === 1) throw new Error('away')
      return SYSTEM
    })
    await expect(read()).rejects.toThrow('away')
    expect(await read()).toMatchObject({ items: [], unknown: {} })
  })
})
