import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type App,
  broker,
  database,
  defineSystem,
  eventPlatform,
  generate,
  issuer,
  kafka,
  remoteService,
  type Sink,
  type SystemDescription,
  tokenIssuer,
} from '@taproom/system'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const cluster = { cpu: '100m to 1', memory: '128Mi to 256Mi', pods: 'fixed' } as const
const ownIssuer = tokenIssuer({
  production: { url: 'https://id.example.org', keys: 'https://id.example.org/keys', audience: 'shop' },
})
const remote = remoteService('stock', {
  variable: 'TEMPLATE_APP_REMOTE_URL',
  standIn: { main: 'standin.ts' },
  path: '',
  url: 'https://stock.example.org',
})
/** As `pnpm new` makes it, with all parts. */
const orders: App = {
  config: () => import('../templates/service/src/config.ts'),
  serves: ['/orders'],
  needs: [ownIssuer, database, kafka, remote],
  cluster,
}
const guarded: App = { ...orders, needs: [issuer, database, kafka, remote] }

const OVERLAYS = 'deploy/kubernetes/overlays'
const PRODUCTION = `${OVERLAYS}/production/kustomization.yaml`

/** A compose.yaml where people wrote a service, in place of the written one. */
const withOwn = (text: string, name: string, service: string) =>
  text
    .replace(new RegExp(`^ {2}${name}:\\n(?: {4}.*\\n)+`, 'm'), '')
    .replace(/^services:\n/m, (line) => `${line}  ${name}: ${service}\n`)

describe('decisions 3.154: pnpm generate --check', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'generate-check-'))
  })
  afterEach(async () => {
    process.exitCode = undefined
    await rm(root, { recursive: true })
  })

  /** Generates the files of a system, changes some of them, generates what comes from the changes, and checks. */
  async function checked(
    description: Omit<SystemDescription, 'name'>,
    changes: Readonly<Record<string, (text: string) => string>> = {},
  ) {
    const system = defineSystem({ name: 'shop', ...description })
    await generate(system, root, [], () => {})
    for (const [path, change] of Object.entries(changes)) {
      const text = await readFile(join(root, path), 'utf8').catch(() => '')
      await writeFile(join(root, path), change(text))
    }
    // It cannot write beside a compose.yaml that is not YAML.
    await generate(system, root, [], () => {}).catch(() => undefined)
    const lines: string[] = []
    process.exitCode = undefined
    await generate(system, root, ['--check'], (line) => lines.push(line))
    return { code: process.exitCode, lines }
  }

  it('says nothing of apps that start with what every overlay and Compose give them', async () => {
    expect(await checked({ apps: { orders } })).toEqual({ code: undefined, lines: [] })
  })

  it('names a service that takes tokens and has neither key nor issuer in production', async () => {
    const { code, lines } = await checked({ apps: { orders: guarded } })
    expect(code).toBe(1)
    const about = `wrong    ${OVERLAYS}/production: Deployment orders: `
    expect(lines).toContain(`${about}MP_JWT_VERIFY_ISSUER: is not set: expected the issuer of the tokens to accept\n`)
    expect(lines).toContainEqual(
      expect.stringMatching(/Deployment orders: MP_JWT_VERIFY_PUBLICKEY_LOCATION: is not set/),
    )
    for (const line of lines) expect(line).toMatch(/^wrong {4}\S+\/production: Deployment orders: MP_JWT_/)
  })

  it('names a variable of Compose whose host is none of its services', async () => {
    const apps = {
      orders: { ...orders, needs: [...(orders.needs ?? []), broker] },
      'event-platform': eventPlatform(kafka),
    }
    const byHand = (text: string) => withOwn(text, 'event-platform', '{ image: ours }')
    const own = '{ image: orders, environment: { BROKER_URL: http://brokers:8080 } }'
    const compose = (text: string) => withOwn(byHand(text), 'orders', own)
    const { code, lines } = await checked({ apps }, { 'deploy/compose.yaml': compose })
    expect(code).toBe(1)
    expect(lines).toContain(
      'wrong    deploy/compose.yaml: orders: BROKER_URL names brokers: expected a service of this file, or a name with a dot\n',
    )
    await rm(join(root, 'deploy'), { recursive: true })
    expect((await checked({ apps }, { 'deploy/compose.yaml': byHand })).lines).toEqual([])
  })

  describe('decisions 3.190: of a system with a sink', () => {
    /** As `pnpm new sink` makes it, with all parts. */
    const billing: Sink = {
      app: 'billing-sink',
      config: () => import('../templates/sink/src/config.ts'),
      triggers: { billing: { deadLetterSink: { broker: 'dead-letters' } } },
      needs: [database, kafka],
    }
    const ofSink = (sink: Sink = billing) => ({
      apps: { orders, 'event-platform': eventPlatform(kafka) },
      sinks: { billing: sink },
    })

    it('says nothing where a sink starts with what Compose and each cluster give it', async () => {
      await mkdir(join(root, 'apps/event-platform'), { recursive: true })
      expect(await checked(ofSink())).toEqual({ code: undefined, lines: [] })
    })

    it.each([
      [{}, 10],
      [{ delivery: {} }, 0],
      [{ delivery: { retry: 3 } }, 3],
    ])(
      'decisions 3.191: notes that events of the trigger %j may be dropped, and fails for nothing',
      async (trigger, retries) => {
        await mkdir(join(root, 'apps/event-platform'), { recursive: true })
        const note = `note     system.ts: trigger billing has no deadLetterSink: an event that billing does not take is dropped, after ${retries} retries at most\n`
        expect(await checked(ofSink({ ...billing, triggers: { billing: trigger } }))).toEqual({
          code: undefined,
          lines: [note],
        })
      },
    )

    it('names the folder that the image of event-platform is made of, when it is not there', async () => {
      const { code, lines } = await checked(ofSink())
      expect({ code, lines }).toEqual({
        code: 1,
        lines: [
          expect.stringMatching(
            /^wrong {4}deploy\/compose\.yaml: event-platform: .* apps\/event-platform, .*guides\/deploy\.md/,
          ),
        ],
      })
    })

    it('names what it lacks where people wrote event-platform', async () => {
      const own = '{ image: node, command: [node, main.js], environment: [SINK_BILLING__PORT=x] }'
      const compose = (text: string) => withOwn(text, 'event-platform', own)
      const { code, lines } = await checked(ofSink(), { 'deploy/compose.yaml': compose })
      const about = 'wrong    deploy/compose.yaml: event-platform: sink billing: '
      expect({ code, lines }).toEqual({
        code: 1,
        lines: [
          expect.stringMatching(`^${about}PORT="x": expected .* \\(here its variables begin with SINK_BILLING__\\)\n$`),
          expect.stringMatching(`^${about}DATABASE_URL: is not set: the sink needs database `),
          expect.stringMatching(`^${about}KAFKA_BOOTSTRAP_SERVERS: is not set: the sink needs kafka `),
        ],
      })
    })

    it('names what is wrong in its Knative Service, and in a container of it', async () => {
      await mkdir(join(root, 'apps/event-platform'), { recursive: true })
      const own = '{ image: event-sinks, command: billing-sink, environment: { PORT: x } }'
      const { lines } = await checked(ofSink({ ...billing, cluster: { env: { HTTP_MAX_CONNECTIONS: 'many' } } }), {
        'deploy/compose.yaml': (text) => withOwn(text, 'own', own),
      })
      expect(lines).toEqual([
        expect.stringMatching(/^wrong {4}\S+\/knative: Service billing: HTTP_MAX_CONNECTIONS="many"/),
        expect.stringMatching(/^wrong {4}deploy\/compose\.yaml: own: PORT="x"/),
        expect.stringMatching(
          /^wrong {4}deploy\/compose\.yaml: event-platform: sink billing: HTTP_MAX_CONNECTIONS="many"/,
        ),
      ])
    })
  })

  it('names what a file of people makes wrong, by overlay, and judges no value that only a cluster knows', async () => {
    const { lines } = await checked(
      { apps: { orders } },
      {
        [PRODUCTION]: (text) =>
          text.replace(
            /^images:\n/m,
            `secretGenerator:
  - name: orders-database
    literals: [url=nonsense]
images:
`,
          ),
      },
    )
    expect(lines).toEqual([
      expect.stringMatching(/^wrong {4}\S+\/production: Deployment orders: DATABASE_URL.*: expected /),
    ])
  })

  it('names a component that was removed, and what else is wrong, in other overlays, too', async () => {
    const { lines } = await checked(
      { apps: { orders: guarded } },
      {
        [PRODUCTION]: (text) => text.replace(/^components:\n/m, 'components:\n  - ../../components/gone\n'),
        [`${OVERLAYS}/development/kustomization.yaml`]: (text) =>
          text.replace(/^resources:\n/m, 'resources:\n  - extra.yaml\n'),
      },
    )
    expect(lines).toContain(`wrong    ${OVERLAYS}/production: ../../components/gone: is not there\n`)
    expect(lines).toContain(`wrong    ${OVERLAYS}/development: extra.yaml: is not there\n`)
    expect(lines).toContainEqual(
      expect.stringMatching(/production: Deployment orders: MP_JWT_VERIFY_ISSUER: is not set/),
    )
  })

  it('names a compose.yaml that is not YAML on one line, and what else is wrong', async () => {
    const { code, lines } = await checked(
      { apps: { orders } },
      {
        [PRODUCTION]: (text) => text.replace(/^resources:\n/m, 'resources:\n  - extra.yaml\n'),
        'deploy/compose.yaml': (text) => `${text}x: [\n`,
      },
    )
    expect({ code, lines }).toEqual({
      code: 1,
      lines: [
        `wrong    ${OVERLAYS}/production: extra.yaml: is not there\n`,
        expect.stringMatching(/^wrong {4}deploy\/compose\.yaml: Flow .* line \d+, column \d+\n$/),
      ],
    })
  })

  it('says what it did not read, and passes', async () => {
    const change = (text: string) => text.replace(/^resources:\n/m, 'resources:\n  - https://example.org/x?ref=1\n')
    expect(await checked({ apps: { orders } }, { [PRODUCTION]: change })).toEqual({
      code: undefined,
      lines: [`unread   ${OVERLAYS}/production: https://example.org/x?ref=1: is not on this machine\n`],
    })
  })
})
