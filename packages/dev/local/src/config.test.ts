import { describe, expect, it } from 'vitest'
import { inspectConfig } from './config.ts'

const read = (env: Record<string, string>) => inspectConfig(env, '/project').config

const problems = (env: Record<string, string>) => inspectConfig(env, '/project').problems

describe('inspectConfig', () => {
  it('runs everything embedded on the documented ports when nothing is set', () => {
    const config = read({})
    expect(config.http).toMatchObject({ host: '127.0.0.1', port: 8080 })
    expect(config.ports).toMatchObject({ kube: 8001, kafka: 9092 })
    expect(Object.values(config.embedded)).toEqual([true, true, true, true, true])
    expect(config.stateDir).toBe('/project/.taproom')
  })

  it.each([
    ['KAFKA_BOOTSTRAP_SERVERS', 'kafka:9092', 'kafka'],
    ['kafka.bootstrap.servers', 'kafka:9092', 'kafka'],
    ['KAFKA_DEVSERVICES_ENABLED', 'false', 'kafka'],
    ['FILM_SERVICE_URL', 'https://films.example/api', 'filmService'],
    ['BEER_SERVICE_URL', 'https://beers.example/v2', 'beerService'],
    ['DATABASE_URL', 'postgres://localhost/films', 'database'],
    ['MP_JWT_VERIFY_PUBLICKEY_LOCATION', 'key.pem', 'keys'],
    ['MP_JWT_VERIFY_PUBLICKEY', 'text', 'keys'],
    ['MP_JWT_VERIFY_ISSUER', 'https://issuer.example', 'keys'],
  ] as const)('%s=%s switches only the embedded part off that it replaces', (name, value, part) => {
    const { embedded } = read({ [name]: value })
    expect(Object.entries(embedded).filter(([, on]) => !on)).toEqual([[part, false]])
  })

  it('keeps the development key when only rules for tokens are set', () => {
    expect(read({ MP_JWT_VERIFY_CLOCK_SKEW: '5', MP_JWT_VERIFY_AUDIENCES: 'taproom' }).embedded.keys).toBe(true)
  })

  it('names every invalid variable at once', () => {
    const found = problems({
      PORT: 'abc',
      KUBE_PORT: '70000',
      KAFKA_DEVSERVICES_ENABLED: 'maybe',
      MOVIE_API_PORT: '-1',
    })
    expect(found).toHaveLength(4)
    expect(found.join('\n')).toMatch(/PORT="abc".*KUBE_PORT="70000".*MOVIE_API_PORT="-1".*KAFKA_DEVSERVICES/s)
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
