import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import {
  broker,
  database,
  defineSystem,
  eventPlatform,
  generate,
  kafka,
  type Place,
  remoteService,
  type Sink,
} from '../src/index.ts'

const rates = remoteService('rates', {
  variable: 'RATES_URL',
  standIn: { main: 'rates.ts' },
  path: '/v1',
  url: 'https://rates.example',
})
const ledger: Sink = {
  app: 'ledger-sink',
  triggers: {},
  needs: [database, broker, rates],
  keeps: ['receipts'],
  env: ({ name, kept, brings }) => ({ RECEIPTS: kept('receipts'), OF: name, IS_BROUGHT: String(brings(database)) }),
  cluster: { memory: '96Mi to 256Mi', env: { CURRENCY: 'EUR' } },
}
const define = (sinks: Readonly<Record<string, Sink>> = { 'order-ledger': ledger }) =>
  defineSystem({
    name: 'shop',
    apps: { 'event-platform': eventPlatform(kafka) },
    sinks,
  })

/** The variables of the platform under `pnpm start`, which brings what is not given. */
function startedWith(given: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>> {
  const { needs = [], env } = define().apps['event-platform'] ?? {}
  const brought = needs.filter(({ variables }) => !variables.some((name) => given[name]))
  const place = {
    ...{ name: 'event-platform', port: 1, gateway: 'http://gateway', issuer: { url: '', publicKeyFile: '' }, given },
    address: (name: string) => `${name}:1`,
    kept: (name: string) => `/kept/${name}`,
    brings: (need) => brought.includes(need),
  } satisfies Place
  return Object.assign({}, ...brought.map((need) => need.local(place)), env?.(place))
}

describe('decisions 3.153: what a sink needs', () => {
  it('reaches the platform by variables of its own under pnpm start', () => {
    expect(startedWith({})).toMatchObject({
      SINK_ORDER_LEDGER__DATABASE_URL: 'sqlite:/kept/ledger-sink.sqlite',
      SINK_ORDER_LEDGER__BROKER_URL: 'http://gateway/brokers/default/default',
      SINK_ORDER_LEDGER__RATES_URL: 'http://rates-standin:1/v1',
      SINK_ORDER_LEDGER__RECEIPTS: '/kept/receipts',
      SINK_ORDER_LEDGER__OF: 'ledger-sink',
      SINK_ORDER_LEDGER__IS_BROUGHT: 'true',
    })
    expect(Object.keys(startedWith({}))).not.toContain('DATABASE_URL')
  })

  it('is what pnpm start was given, with its settings, and first what it was given for that sink', () => {
    const given = {
      DATABASE_URL: 'postgres://all',
      DATABASE_POOL_MAX: '5',
      'rates.url': 'http://rates',
      OTHER: 'x',
      RATES_OPTS: '-X',
    }
    const variables = startedWith(given)
    expect(variables).toMatchObject({
      SINK_ORDER_LEDGER__DATABASE_URL: 'postgres://all',
      SINK_ORDER_LEDGER__DATABASE_POOL_MAX: '5',
      SINK_ORDER_LEDGER__RATES_URL: 'http://rates',
      SINK_ORDER_LEDGER__IS_BROUGHT: 'false',
    })
    expect(Object.keys(variables).filter((name) => /OTHER|OPTS/.test(name))).toEqual([])
    const own = startedWith({ ...given, SINK_ORDER_LEDGER__DATABASE_URL: 'postgres://own' })
    expect(own).not.toHaveProperty('SINK_ORDER_LEDGER__DATABASE_URL')
  })

  it('has its stand-ins and state among those of the system', () => {
    const { keeps, standIns } = define()
    expect(keeps).toEqual(expect.arrayContaining(['receipts', 'ledger-sink.sqlite', 'resources.json']))
    expect(Object.keys(standIns)).toEqual(expect.arrayContaining(['rates-standin', 'embedded-kafka']))
    expect(keeps).not.toContain('event-platform.sqlite')
  })

  it('is refused where a variable is not a text', () => {
    const cluster = { env: { LIMIT: 5 } } as unknown as NonNullable<Sink['cluster']>
    expect(() => define({ ledger: { ...ledger, cluster } })).toThrow('LIMIT is 5 in cluster.env of ledger')
    expect(() => define({ 'event-platform': { ...ledger, cluster } })).toThrow('LIMIT is 5')
  })

  it('is refused where the platform would refuse its variable', () => {
    const needs = [{ ...rates, variables: ['HOME_URL'] as const }]
    expect(() => define({ ledger: { ...ledger, needs } })).toThrow('the sink ledger needs HOME_URL')
  })

  describe('in deploy', () => {
    let root: string
    beforeEach(async () => {
      root = await mkdtemp(join(tmpdir(), 'sink-needs-'))
    })
    afterEach(() => rm(root, { recursive: true }))

    async function written(path: string, sinks?: Readonly<Record<string, Sink>>) {
      await generate(define(sinks), root, [], () => {})
      return parse(await readFile(join(root, 'deploy', path), 'utf8'), { merge: true })
    }

    it('is in the manifest of its Knative Service, with its resources', async () => {
      const service = await written('knative/300-order-ledger.yaml')
      const [container] = service.spec.template.spec.containers
      expect(container.env).toEqual([
        { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: 'ledger-sink-database', key: 'url' } } },
        { name: 'BROKER_URL', value: 'http://broker-ingress.knative-eventing.svc.cluster.local/default/default' },
        { name: 'RATES_URL', value: 'https://rates.example' },
        { name: 'CURRENCY', value: 'EUR' },
      ])
      expect(container.resources).toEqual({
        requests: { cpu: '50m', memory: '96Mi' },
        limits: { cpu: '1', memory: '256Mi' },
      })
    })

    it('makes a new revision when it changes', async () => {
      const revision = async (sink: Sink) =>
        (await written('knative/300-ledger.yaml', { ledger: sink })).spec.template.metadata.name
      const names = [
        await revision({ app: 'ledger-sink', triggers: {} }),
        await revision(ledger),
        await revision({ ...ledger, needs: [database] }),
        await revision({ ...ledger, cluster: {} }),
      ]
      expect(names[0]).toBe('ledger-v1')
      expect(new Set(names).size).toBe(4)
      expect(await revision(ledger)).toBe(names[1])
    })

    it('is given to the event platform of Compose, after what it needs', async () => {
      const { services } = await written('compose.yaml')
      const { environment, depends_on } = services['event-platform']
      const url = 'postgres://ledger-sink:taproom@postgres:5432/ledger-sink'
      expect(environment).toMatchObject({
        SINK_ORDER_LEDGER__DATABASE_URL: `\${SINK_ORDER_LEDGER__DATABASE_URL:-${url}}`,
        SINK_ORDER_LEDGER__RATES_URL: `\${SINK_ORDER_LEDGER__RATES_URL:-https://rates.example}`,
      })
      expect(environment).not.toHaveProperty('DATABASE_URL')
      expect(depends_on).toMatchObject({ databases: { condition: 'service_completed_successfully' } })
      expect(services.databases.environment).toMatchObject({ APPS: 'ledger-sink' })
      expect(depends_on).not.toHaveProperty('event-platform')
    })
  })
})
