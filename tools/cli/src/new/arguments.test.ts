import { describe, expect, it } from 'vitest'
import { readArguments } from './arguments.ts'
import { NewUsageError } from './errors.ts'

describe('readArguments', () => {
  it('reads what to make', () => {
    expect(readArguments(['service', 'wine-cellar', '--with', 'health, jwt'])).toEqual({
      kind: 'service',
      name: 'wine-cellar',
      parts: new Set(['health', 'jwt', 'http']),
    })
    expect(readArguments(['service', 'a', '--with', 'database,remote'])).toMatchObject({
      parts: new Set(['database', 'remote']),
    })
    expect(readArguments(['service', 'a', '--with', 'inbox'])).toMatchObject({
      parts: new Set(['inbox', 'incoming', 'database']),
    })
    expect(readArguments(['service', 'a', '--with', ''])).toMatchObject({ parts: new Set() })
    expect(readArguments(['service', 'a'])).toMatchObject({ parts: undefined })
    expect(readArguments(['service', 'orders', '--resource', 'order', '--with', 'jwt'])).toEqual({
      kind: 'service',
      name: 'orders',
      resource: 'order',
      parts: new Set(['jwt', 'http', 'database']),
    })
    expect(readArguments(['service', 'orders', '--resource', 'order'])).toMatchObject({
      parts: new Set(['http', 'database']),
    })
    expect(readArguments(['sink', 'ciao'])).toEqual({
      ...{ kind: 'sink', name: 'ciao', eventType: 'greeting', parts: new Set() },
    })
    expect(readArguments(['sink', 'ciao', '--type', 'a.b', '--with', 'database,outgoing'])).toMatchObject({
      ...{ eventType: 'a.b', parts: new Set(['database', 'outgoing']) },
    })
    expect(readArguments(['package', 'a1'])).toEqual({ kind: 'package', name: 'a1' })
    expect(readArguments(['--help'])).toEqual({ kind: 'help' })
  })

  it.each(['../etc', 'a/b', 'A', '1a', 'a--b', 'a-', '-a', '', 'dist', 'é', 'a\n', `${'a'.repeat(41)}`, '.a', 'a b'])(
    'decisions 3.77: refuses the name %j',
    (name) => {
      expect(() => readArguments(['service', '--', name])).toThrow(NewUsageError)
    },
  )

  it.each([
    [['service'], 'its name'],
    [['service', 'a', 'b'], 'its name'],
    [['house', 'a'], '"house" cannot be made'],
    [['service', 'a', '--with', 'http,constructor'], '"constructor" is no part'],
    [
      ['service', 'a', '--with', 'outbox,outgoing'],
      'outgoing and outbox are for the same topic: name outgoing (a topic',
    ],
    [['service', 'a', '--with', 'incoming,database,inbox'], 'incoming and inbox are for the same topic'],
    [['sink', 'a', '--with', 'http'], '--with=http: a sink may have database, outgoing'],
    [['sink', 'a', '--with', ''], '--with=: a sink may have database, outgoing'],
    [['package', 'a', '--with', 'http'], '--with is for services and sinks'],
    [['service', 'a', '--type', 'x'], '--type is for sinks'],
    [['sink', 'a', '--resource', 'b'], '--resource is for services'],
    [['service', 'a', '--resource', 'A'], '"A" cannot be a name'],
    [['service', 'a', '--resource', 'a'], 'expected another name'],
    [['sink', 'a', '--type', "x' }"], '--type='],
    [['service', 'a', '--nonsense'], '--nonsense'],
  ])('refuses %j, and says why', (args, message) => {
    expect(() => readArguments(args)).toThrow(NewUsageError)
    expect(() => readArguments(args)).toThrow(message)
  })
})
