import { describe, expect, it } from 'vitest'
import { defineSystem, type Need, needsOf, type System } from './index.ts'

function makeSystem(parts: Partial<System> = {}): System {
  return { standIns: {}, apps: {}, sinks: {}, images: {}, keeps: [], tryIt: () => [], ...parts }
}

function makeNeed(parts: Partial<Need> = {}): Need {
  return {
    name: 'kafka',
    variables: ['kafka.bootstrap.servers'],
    local: () => ({}),
    cluster: { secret: 'kafka', key: 'bootstrap-servers' },
    compose: { value: 'kafka:9092', after: {} },
    ...parts,
  }
}

describe('defineSystem', () => {
  it('returns a description that is consistent', () => {
    const needs = [makeNeed({ standIn: 'broker' })]
    const system = makeSystem({
      standIns: { broker: { main: 'broker.ts' } },
      apps: { beers: { serves: ['/beer'], needs } },
    })
    expect(defineSystem(system)).toBe(system)
  })

  it('refuses a path that two apps serve', () => {
    const system = makeSystem({ apps: { ales: { serves: ['/ale', '/beer'] }, beers: { serves: ['/beer'] } } })
    expect(() => defineSystem(system)).toThrow(new RangeError('system: /beer is served by ales and by beers'))
  })

  it('refuses a need whose stand-in does not exist', () => {
    const system = makeSystem({ apps: { beers: { needs: [makeNeed({ standIn: 'broker' })] } } })
    expect(() => defineSystem(system)).toThrow(new RangeError('system: kafka has no stand-in broker'))
  })
})

describe('needsOf', () => {
  it('gives a need of several apps once', () => {
    const [kafka, films] = [makeNeed(), makeNeed({ name: 'films' })]
    const system = makeSystem({ apps: { beers: { needs: [kafka] }, movies: { needs: [films, kafka] }, plain: {} } })
    expect(needsOf(system)).toEqual([kafka, films])
  })
})
