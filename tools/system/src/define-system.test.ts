import { describe, expect, it } from 'vitest'
import {
  broker,
  database,
  defineSystem,
  developmentIssuerOf,
  eventPlatform,
  imagesOf,
  kafka,
  type Need,
  needsOf,
  platformOf,
  type System,
  tokenIssuer,
} from './index.ts'

function makeSystem(parts: Partial<System> = {}): System {
  return { name: 'test', standIns: {}, apps: {}, sinks: {}, images: {}, keeps: [], tryIt: () => [], ...parts }
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
    expect(defineSystem(system)).toEqual(system)
  })

  it('refuses a path that two apps serve', () => {
    const system = makeSystem({ apps: { ales: { serves: ['/ale', '/beer'] }, beers: { serves: ['/beer'] } } })
    expect(() => defineSystem(system)).toThrow(new RangeError('system: /beer is served by ales and by beers'))
  })

  it.each([
    'orders',
    '/orders/',
    '/orders/{id}',
    '/orders/:id',
    '/*',
    '/a/*/b',
    '/a*',
    '/a?b',
    '/a;b',
    '/a(b',
    '/$x',
    '',
  ])('decisions 3.111: refuses %j as a path, which no gateway could serve', (path) => {
    const system = makeSystem({ apps: { orders: { serves: [path] } } })
    const expected = 'expected one such as /orders, or /orders/* for all below it'
    expect(() => defineSystem(system)).toThrow(new RangeError(`system: orders serves "${path}": ${expected}`))
  })

  it.each(['Orders', 'order_s', '-orders', 'kafka', 'postgres', 'gateway', 'a'.repeat(64)])(
    'decisions 3.107: refuses %j as the name of an app, which no cluster or Compose file could have',
    (name) => expect(() => defineSystem(makeSystem({ apps: { [name]: {} } }))).toThrow(RangeError),
  )

  it('decisions 3.107: refuses a name of which nothing is left for a namespace', () => {
    expect(() => defineSystem({ ...makeSystem({}), name: '!' })).toThrow('expected letters or digits, 63 at most')
    expect(() => defineSystem({ ...makeSystem({}), name: 'Wine shop!' })).not.toThrow()
  })

  it('decisions 3.113: refuses the need of a broker where nothing has brokers', () => {
    const system = makeSystem({ apps: { orders: { needs: [broker] } } })
    expect(() => defineSystem(system)).toThrow('there is no eventPlatform(kafka)')
    const withPlatform = (name: string) => ({ ...system, apps: { ...system.apps, [name]: eventPlatform(kafka) } })
    expect(() => defineSystem(withPlatform('event-platform'))).not.toThrow()
    expect(() => defineSystem(withPlatform('platform'))).toThrow('is called platform: expected event-platform')
  })

  it.each(['env', 'production'])('refuses a variable of cluster.%s that is no text', (part) => {
    const cluster = { cpu: '1 to 1', memory: '1Mi to 1Mi', pods: 'fixed', [part]: { HTTP_MAX_CONNECTIONS: 5 } } as const
    expect(() => defineSystem(makeSystem({ apps: { orders: { cluster } } }))).toThrow(
      new RangeError(`system: HTTP_MAX_CONNECTIONS is 5 in cluster.${part} of orders: expected text, such as '5'`),
    )
  })

  it('decisions 3.120: refuses two development issuers, and one that is a list', () => {
    const appOf = (development: string) => ({ needs: [tokenIssuer({ development })] })
    const [one, other] = [appOf('https://a.example'), appOf('https://b.example')]
    expect(developmentIssuerOf(defineSystem({ name: 'shop', apps: { plain: {}, one } }))).toBe('https://a.example')
    expect(() => defineSystem({ name: 'shop', apps: { one, other } })).toThrow(
      'system: https://a.example and https://b.example are both the development issuer',
    )
    expect(() => tokenIssuer({ development: 'https://a.example, b' })).toThrow('development is "https://a.example, b"')
  })

  it('refuses a need whose stand-in does not exist', () => {
    const system = makeSystem({ apps: { beers: { needs: [makeNeed({ standIn: 'broker' })] } } })
    expect(() => defineSystem(system)).toThrow(new RangeError('system: kafka has no stand-in broker'))
  })
})

describe('defineSystem, of what is left out', () => {
  it('makes nothing but an image of all sinks', () => {
    const sinks = { ciao: { app: 'ciao-sink', triggers: { ciao: { filter: { type: 'greeting' } } } } }
    const system = defineSystem({ name: 'shop', apps: {}, sinks })
    expect(system).toMatchObject({ standIns: {}, images: { 'event-sinks': ['ciao-sink'] }, keeps: [] })
    expect(system.tryIt('', '')).toEqual([])
  })

  it('has the stand-ins and the kept files of its needs and apps, each once', () => {
    const apps = { one: { needs: [kafka, database] }, two: { needs: [kafka] }, platform: eventPlatform(kafka) }
    const { standIns, keeps } = defineSystem({ name: 'shop', apps })
    expect(Object.keys(standIns)).toEqual(['embedded-kafka'])
    expect(keeps).toEqual(['kafka', 'one.sqlite', 'resources.json', 'kube-token', 'oidc-key.pem'])
  })

  it('has no image of an app that is installed', () => {
    const system = defineSystem({ name: 'shop', apps: { one: {}, platform: eventPlatform(kafka) } })
    expect(imagesOf(system)).toEqual([{ name: 'one', apps: ['one'] }])
    expect(platformOf(system)).toBe('platform')
    expect(platformOf(makeSystem())).toBeUndefined()
  })
})

describe('needsOf', () => {
  it('gives a need of several apps once', () => {
    const [kafka, films] = [makeNeed(), makeNeed({ name: 'films' })]
    const system = makeSystem({ apps: { beers: { needs: [kafka] }, movies: { needs: [films, kafka] }, plain: {} } })
    expect(needsOf(system)).toEqual([kafka, films])
  })
})
