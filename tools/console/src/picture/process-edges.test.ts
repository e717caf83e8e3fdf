import { describe, expect, it } from 'vitest'
import type { PictureService } from './places.ts'
import { edgeStates } from './process-edges.ts'

const SYSTEM = { url: 'http://127.0.0.1:1', bootstrapServers: '127.0.0.1:9092' }

const service = (name: string, state = 'ready', more: Partial<PictureService> = {}): PictureService => ({
  ...{ name, state, kind: 'app', failing: [] },
  ...more,
})
const broker = (state: string) => service('broker', state, { port: 9092 })
const edge = (from: string, to: string, errorRate = 0) => ({ from, to, kind: 'http', rate: 1, errorRate }) as const

describe('an edge of the picture', () => {
  it.each(['stopped', 'waiting', 'starting', 'restarting', 'stopping'])('is cut while an end is %s', (state) => {
    const stateOf = edgeStates([service('a', state), service('b')], SYSTEM)
    expect(stateOf(edge('service/a', 'service/b'))).toBe('cut')
    expect(stateOf(edge('service/b', 'service/a', 1))).toBe('cut')
    expect(stateOf(edge('service/b', 'remote/c'))).toBe('open')
  })

  it('is not cut by what runs and is not ready, nor by what no process is known of', () => {
    const stateOf = edgeStates([service('a', 'not ready')], SYSTEM)
    expect(stateOf(edge('service/a', 'sink/default/b'))).toBe('open')
  })

  it.each(['topic/beer', 'broker/default/default'])('from or to %s is cut while Kafka does not run', (kept) => {
    const stateOf = edgeStates([service('a'), broker('stopped')], SYSTEM)
    expect([stateOf(edge('service/a', kept)), stateOf(edge(kept, 'service/a'))]).toEqual(['cut', 'cut'])
    expect(edgeStates([service('a'), broker('ready')], SYSTEM)(edge('service/a', kept))).toBe('open')
  })

  it('fails when requests do, and for ten seconds after an end crashed', () => {
    const crashed = (ms: number) => edgeStates([service('a', 'ready', { crashedAt: Date.now() - ms })], SYSTEM)
    expect(crashed(60_000)(edge('service/a', 'service/b', 0.1))).toBe('failing')
    expect(crashed(0)(edge('service/a', 'service/b'))).toBe('failing')
    expect(crashed(10_001)(edge('service/a', 'service/b'))).toBe('open')
  })
})
