import { describe, expect, it } from 'vitest'
import { defineSystem } from './define-system.ts'
import type { SinkTrigger } from './sink.ts'

const define = (name: string, trigger: SinkTrigger, sink = 'bell') =>
  defineSystem({ name: 'shop', apps: {}, sinks: { [sink]: { app: 'bell-sink', triggers: { [name]: trigger } } } })

describe('the sinks of a system', () => {
  it.each<SinkTrigger>([
    {},
    { filter: { type: 'opened' }, deadLetterSink: 'bell' },
    { filters: [{ not: { cesql: 'TRUE' } }], broker: 'tower', deadLetterSink: 'https://letters.example/dead' },
  ])('decisions 3.153: may have the trigger %j', (trigger) => {
    expect(() => define('bell', trigger)).not.toThrow()
  })

  it.each<[string, SinkTrigger, string]>([
    [
      'Bell',
      {},
      '"Bell" cannot be the name of a trigger: expected words of a-z and 0-9 joined by -, a letter first, 63 characters at most',
    ],
    ['bell', { broker: '../a' }, '"../a" cannot be the name of a broker'],
    ['bell', { filter: {}, filters: [] }, 'the trigger bell has filter and filters: expected one of them'],
    ['bell', { deadLetterSink: 'door' }, 'has the deadLetterSink "door": expected a sink of the system, a broker as'],
    ['bell', { deadLetterSink: { broker: 'A' } }, '"A" cannot be the name of a broker'],
    ['bell', { deadLetterSink: 'ftp://a' }, 'has the deadLetterSink "ftp://a"'],
  ])('decisions 3.153: may not have a trigger %s of %j', (name, trigger, message) => {
    expect(() => define(name, trigger)).toThrow(message)
  })

  it('decisions 3.153: have names of Kubernetes, and triggers of one name each', () => {
    expect(() => define('bell', {}, 'a/b')).toThrow('"a/b" cannot be the name of a sink')
    expect(() => define('bell', {}, 'a--b')).toThrow('"a--b" cannot be the name of a sink')
    const sink = { app: 'bell-sink', triggers: { bell: {} } }
    expect(() => defineSystem({ name: 'shop', apps: {}, sinks: { one: sink, two: sink } })).toThrow(
      'system: one and two both have a trigger bell',
    )
  })
})
