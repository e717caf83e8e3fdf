import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import {
  type App,
  backingService,
  broker,
  defineSystem,
  eventPlatform,
  generate,
  issuer,
  kafka,
  type SystemDescription,
} from '../src/index.ts'

const cluster = { cpu: '100m to 1', memory: '128Mi to 256Mi', pods: 'fixed' } as const
const hello: App = { serves: ['/hello'], cluster }
/** Installed, so that it has no image here. */
const cellar: App = { serves: ['/cellar'], main: '@wine/cellar/main' }

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'compose-'))
})
afterEach(() => rm(root, { recursive: true }))

const COMPOSE = 'deploy/compose.yaml'
const generated = (apps: Readonly<Record<string, App>>, others: Partial<SystemDescription> = {}) =>
  generate(defineSystem({ name: 'shop', apps, ...others }), root, [], () => {})
const read = (path: string) => readFile(join(root, path), 'utf8')
const services = async () => parse(await read(COMPOSE), { merge: true }).services
/** Apps by the expressions of their paths. */
const paths = async () => {
  const lines = (await read('deploy/gateway.conf')).matchAll(/^ +(~\^\S+) {2}([\w-]+);$/gm)
  return Array.from(lines, ([, path, app]) => `${path} ${app}`)
}
const addByHand = async (text: string) =>
  writeFile(join(root, COMPOSE), (await read(COMPOSE)).replace(/^services:\n/m, `services:\n${text}`))

describe('decisions 3.119: the variables of an app in Compose', () => {
  it('are those that it has on every cluster, and none of production', async () => {
    const env = { PRICE: '$1 $or "2"', HTTP_MAX_CONNECTIONS: '21000', HTTP_TRUSTED_PROXIES: '10.1.0.0/16' }
    const production = { HTTP_RATE_LIMIT: '50', PRICE: '3' }
    await generated({ hello: { ...hello, cluster: { ...cluster, env, production } } })
    expect((await services()).hello.environment).toEqual({ ...env, PRICE: '$$1 $$or "2"' })
    expect(await read('deploy/kubernetes/base/kustomization.yaml')).toContain('HTTP_MAX_CONNECTIONS=21000')
  })

  it('trust the gateway with the address of the client where a path leads to it', async () => {
    await generated({ hello, worker: { cluster } })
    const { hello: served, worker } = await services()
    expect(served.environment).toEqual({ HTTP_TRUSTED_PROXIES: expect.stringContaining('172.16.0.0/12') })
    expect(worker).not.toHaveProperty('environment')
  })

  it('are never instead of those of a need, which a cluster prefers, too', async () => {
    const env = {
      KAFKA_BOOTSTRAP_SERVERS: 'other:9092',
      MP_JWT_VERIFY_ISSUER: 'https://other.example',
      LOG_LEVEL: 'warn',
    }
    await generated({ worker: { needs: [kafka, issuer], cluster: { ...cluster, env } } })
    expect((await services()).worker.environment).toMatchObject({
      KAFKA_BOOTSTRAP_SERVERS: expect.stringContaining('kafka:9092'),
      MP_JWT_VERIFY_ISSUER: expect.stringContaining('https://issuer.taproom.example'),
      LOG_LEVEL: 'warn',
    })
  })

  it('are never instead of those at the anchor of a need, which one mapping has of several', async () => {
    const redis = backingService('redis', {
      variable: 'redis.url',
      secret: 'redis/url',
      standIn: 'embedded-kafka',
      compose: { value: 'redis:6379', anchor: 'redis', after: {} },
    })
    const env = { KAFKA_SECURITY_PROTOCOL: 'SSL', REDIS_POOL: '5', LOG_LEVEL: 'warn' }
    const apps = { worker: { needs: [kafka, kafka, redis], cluster: { ...cluster, env } } }
    await generated({ hello })
    await writeFile(
      join(root, COMPOSE),
      `x-redis: &redis\n  REDIS_URL: redis:6379\n  REDIS_POOL: "2"\n${await read(COMPOSE)}`,
    )
    await generated(apps)
    expect(await read(COMPOSE)).toContain('      <<: [*kafka, *redis]\n')
    expect((await services()).worker.environment).toMatchObject({
      KAFKA_SECURITY_PROTOCOL: expect.stringContaining(':-}'),
      REDIS_POOL: '2',
      REDIS_URL: 'redis:6379',
      LOG_LEVEL: 'warn',
    })
  })
})

describe('decisions 3.119: an app in Compose', () => {
  it('is one with an image, and no other has a path in gateway.conf, nor health', async () => {
    await generated({ hello, cellar }, { health: 'cellar' })
    expect(await services()).not.toHaveProperty('cellar')
    expect(await paths()).toEqual(['~^/hello/?(\\?|$) hello'])
    await generated({ hello, cellar }, { health: 'hello' })
    expect(await paths()).toContainEqual('~^/q/health(/(live|ready|started|well))?/?(\\?|$) hello')
  })

  it.each([
    ['as it is written there', '  cellar:\n    <<: *service\n    image: wine/cellar\n'],
    ['in one line, and with a comment', '  "cellar": { image: wine/cellar } # ours\n'],
  ])('is one that people wrote, %s: gateway.conf leads to it, and waits for it', async (_how, byHand) => {
    await generated({ hello, cellar }, { health: 'cellar' })
    await addByHand(byHand)
    await generated({ hello, cellar }, { health: 'cellar' })
    expect(await paths()).toEqual([
      '~^/hello/?(\\?|$) hello',
      '~^/cellar/?(\\?|$) cellar',
      '~^/q/health(/(live|ready|started|well))?/?(\\?|$) cellar',
    ])
    expect(Object.keys((await services()).gateway.depends_on)).toEqual(['hello', 'cellar'])
    expect((await read(COMPOSE)).split(byHand)).toHaveLength(2)
  })

  it('decisions 3.190: is event-platform with the sinks in its image, where a sink or an app needs its brokers', async () => {
    const apps = { hello, 'event-platform': eventPlatform(kafka) }
    await generated(apps)
    expect(await services()).not.toHaveProperty('event-platform')
    const bySink = defineSystem({ name: 'shop', apps, sinks: { mailer: { app: 'mailer-sink', triggers: {} } } })
    expect(bySink.images['event-platform']).toEqual(['event-platform', 'mailer-sink'])
    await generated({ ...apps, sender: { needs: [broker], cluster } })
    const { sender, gateway, kafka: server, 'event-platform': platform } = await services()
    expect(platform).toMatchObject({
      image: 'event-platform:development',
      environment: { KAFKA_BOOTSTRAP_SERVERS: expect.stringContaining('kafka:9092') },
      volumes: ['./knative:/app/deploy/knative:ro'],
      tmpfs: ['/tmp'],
      depends_on: { kafka: { condition: 'service_healthy' } },
    })
    expect(server).toBeDefined()
    expect(sender.depends_on).toHaveProperty('event-platform')
    expect(gateway.depends_on).toHaveProperty('event-platform')
    expect(await paths()).toContainEqual('~^/brokers/(?!(?i:q|sinks)([/?]|$)). event-platform')
  })

  it('is the event platform that people wrote: brokers and sinks have their paths', async () => {
    const apps = { hello, platform: eventPlatform(kafka) }
    await generated(apps)
    expect(await read('deploy/gateway.conf')).not.toMatch(/platform|\$target|TARGET|\n\n\}/)
    await addByHand('  platform:\n    image: wine/platform\n')
    await generated(apps)
    expect(await paths()).toContainEqual('~^/sinks/. platform')
    expect(await read('deploy/gateway.conf')).toContain('proxy_pass http://platform:8080$request_uri;')
  })

  it('is only what people wrote in a file of theirs alone; without any, there is no gateway.conf', async () => {
    await generated({ hello, cellar })
    await writeFile(join(root, COMPOSE), 'services:\n  cellar:\n    image: wine/cellar\n')
    await generated({ hello, cellar })
    expect(await paths()).toEqual(['~^/cellar/?(\\?|$) cellar'])
    await writeFile(join(root, COMPOSE), 'services:\n  mine:\n    image: mine\n')
    await generated({ hello, cellar })
    await expect(read('deploy/gateway.conf')).rejects.toThrow('ENOENT')
  })

  it('is refused where the file is no YAML, by the name of the file', async () => {
    await generated({ hello })
    await writeFile(join(root, COMPOSE), `${await read(COMPOSE)}  mine: [\n`)
    const end = (await read(COMPOSE)).split('\n').length
    await expect(generated({ hello })).rejects.toThrow(
      new RegExp(`^deploy/compose\\.yaml: .* at line ${end}, column \\d+$`),
    )
  })
})

it('decisions 3.119: a project of Compose has the name of its system, but where people say another', async () => {
  await generated({ hello })
  expect(await read('deploy/.env')).toMatch(/^COMPOSE_PROJECT_NAME=shop$/m)
  await writeFile(join(root, 'deploy/.env'), 'COMPOSE_PROJECT_NAME=ours\n')
  await generated({ hello })
  expect(await read('deploy/.env')).toBe('COMPOSE_PROJECT_NAME=ours\n')
})

it('says that a file of variables which is kept does not name the project', async () => {
  await generated({ hello })
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => said.mockRestore())
  await writeFile(join(root, 'deploy/.env'), '# COMPOSE_PROJECT_NAME=\nPORT=1\n')
  await generated({ hello })
  expect(said.mock.calls.flat().join('')).toMatch(/^pnpm generate: deploy\/\.env, .* no COMPOSE_PROJECT_NAME: .*\n$/)
  said.mockClear()
  await writeFile(join(root, 'deploy/.env'), 'PORT=1\nCOMPOSE_PROJECT_NAME=ours\n')
  await generated({ hello })
  expect(said).not.toHaveBeenCalled()
})

describe('decisions 3.119: the key of tokens in Compose', () => {
  const guarded = { hello: { ...hello, needs: [issuer] } }
  const key = { 'token-key': { file: '../.taproom/keys/public-key.pem' } }
  const secrets = async () => parse(await read(COMPOSE), { merge: true }).secrets

  it('is a secret, which is never a folder that is made where there is none', async () => {
    await generated(guarded)
    const { secrets: its, volumes } = (await services()).hello
    expect({ its, volumes }).toEqual({ its: [{ source: 'token-key', target: '/data/keys/public-key.pem' }] })
    expect(await secrets()).toEqual(key)
    await generated({ hello })
    expect(await secrets()).toBeUndefined()
  })

  it('is among the secrets that people wrote, or it is said what is missing there', async () => {
    await generated(guarded)
    const own = async (text: string) => writeFile(join(root, COMPOSE), `${await read(COMPOSE)}\n${text}`)
    await generated({ hello })
    await own('secrets:\n  mine: { file: mine.txt }\n')
    await expect(generated(guarded)).rejects.toThrow(
      'deploy/compose.yaml: secrets, which is yours, has no token-key: add',
    )
    await own('  token-key: { file: ../key.pem }\n')
    await generated(guarded)
    expect(await secrets()).toEqual({ mine: { file: 'mine.txt' }, 'token-key': { file: '../key.pem' } })
  })
})
