import { ConfigError } from '@taproom/service'
import { needsOf } from '@taproom/system'
import { describe, expect, it } from 'vitest'
import { hasDevelopmentKey, readConfig } from '../src/config.ts'
import { system } from './fixtures/taproom.ts'

const read = (env: Record<string, string>) => readConfig(env, { cwd: '/project', root: '/project' }, system)

function problems(env: Record<string, string>): readonly string[] {
  try {
    read(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('readConfig', () => {
  it('runs everything embedded on the documented ports when nothing is set', () => {
    const config = read({})
    expect(config.http).toMatchObject({ host: '127.0.0.1', port: 8080 })
    expect(config.kubePort).toBe(8001)
    expect(config.ports).toMatchObject({ 'embedded-kafka': 9092, 'film-standin': 0, 'claim-api': 0 })
    expect([...config.brought]).toEqual(needsOf(system))
    const names = [...config.brought].map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['issuer', 'films', 'database', 'kafka', 'beers']))
    expect(config.stateDir).toBe('/project/.taproom')
  })

  it('keeps state beside system.ts, but where the caller says another folder', () => {
    const below = (env: Record<string, string>) => readConfig(env, { cwd: '/project/apps', root: '/project' }, system)
    expect(below({}).stateDir).toBe('/project/.taproom')
    expect(below({ TAPROOM_STATE_DIR: 'state' }).stateDir).toBe('/project/apps/state')
  })

  it.each([
    ['KAFKA_BOOTSTRAP_SERVERS', 'kafka:9092', 'kafka'],
    ['kafka.bootstrap.servers', 'kafka:9092', 'kafka'],
    ['KAFKA_DEVSERVICES_ENABLED', 'false', 'kafka'],
    ['FILM_SERVICE_URL', 'https://films.example/api', 'films'],
    ['BEER_SERVICE_URL', 'https://beers.example/v2', 'beers'],
    ['DATABASE_URL', 'postgres://localhost/films', 'database'],
    ['MP_JWT_VERIFY_PUBLICKEY_LOCATION', 'key.pem', 'issuer'],
    ['MP_JWT_VERIFY_PUBLICKEY', 'text', 'issuer'],
    ['MP_JWT_VERIFY_ISSUER', 'https://issuer.example', 'issuer'],
  ] as const)('%s=%s switches only off what it replaces', (name, value, need) => {
    // An issuer alone is refused: it wants its key.
    const { brought } = read({ MP_JWT_VERIFY_PUBLICKEY: name.startsWith('MP_JWT') ? 'text' : '', [name]: value })
    const off = needsOf(system).filter((one) => !brought.has(one))
    expect(new Set(off.map((one) => one.name))).toEqual(new Set([need]))
  })

  it('keeps the development key when only rules for tokens are set', () => {
    expect(hasDevelopmentKey(read({ MP_JWT_VERIFY_CLOCK_SKEW: '5', MP_JWT_VERIFY_AUDIENCES: 'taproom' }))).toBe(true)
  })

  it('decisions 3.114: has a console in development mode, unless it is switched off', () => {
    const key = { MP_JWT_VERIFY_PUBLICKEY_LOCATION: 'key.pem' }
    expect(read({}).consolePort).toBe(0)
    expect(read({ CONSOLE_PORT: '4999' })).toMatchObject({ consolePort: 4999, portsByVariable: { CONSOLE_PORT: 4999 } })
    expect(read({ CONSOLE_ENABLED: 'false' }).consolePort).toBeUndefined()
    expect(read({ NODE_ENV: 'production', CONSOLE_ENABLED: 'true', ...key }).consolePort).toBeUndefined()
    expect(problems({ CONSOLE_PORT: '8080' })).toEqual(['CONSOLE_PORT: is 8080, the same port as PORT'])
  })

  it('names every invalid variable at once', () => {
    const found = problems({
      PORT: 'abc',
      KUBE_PORT: '70000',
      KAFKA_DEVSERVICES_ENABLED: 'maybe',
      MOVIE_API_PORT: '-1',
    })
    expect(found).toHaveLength(4)
    expect(found.join('\n')).toMatch(/PORT="abc".*KAFKA_DEVSERVICES.*KUBE_PORT="70000".*MOVIE_API_PORT="-1"/s)
  })

  it('refuses the same port twice', () => {
    expect(problems({ PORT: '9000', CLAIM_API_PORT: '9000' })).toEqual([
      'CLAIM_API_PORT: is 9000, the same port as PORT',
    ])
    expect(problems({ PORT: '9092', KAFKA_BOOTSTRAP_SERVERS: 'kafka:9092' })).toEqual([])
  })

  it('listens where HOST says, and serves it and GATEWAY_ALLOWED_HOSTS', () => {
    const config = read({ HOST: '0.0.0.0', GATEWAY_ALLOWED_HOSTS: 'Taproom.example, [::1],' })
    expect(config.http.host).toBe('0.0.0.0')
    expect(config.gateway.allowedHosts).toEqual(['0.0.0.0', 'taproom.example', '[::1]'])
    for (const wrong of ['*', 'a:80', 'http://a', 'a b']) {
      expect(problems({ GATEWAY_ALLOWED_HOSTS: wrong })).toEqual([expect.stringContaining('GATEWAY_ALLOWED_HOSTS')])
    }
  })

  it('makes no development key in production mode', () => {
    expect(problems({ NODE_ENV: 'production' })).toEqual([expect.stringContaining('MP_JWT_VERIFY_PUBLICKEY_LOCATION')])
    const own = { MP_JWT_VERIFY_PUBLICKEY_LOCATION: 'key.pem', MP_JWT_VERIFY_ISSUER: 'https://issuer.example' }
    expect(problems({ NODE_ENV: 'production', ...own })).toEqual([])
  })
})
