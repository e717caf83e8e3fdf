import { describe, expect, it } from 'vitest'
import { parseEnv } from '../env/env.ts'
import { kernelConfig } from './kernel-config.ts'

describe('kernelConfig', () => {
  it('takes the limits that are set, and refuses those that would be none', () => {
    const env = { HTTP_MAX_CONNECTIONS: '7', HTTP_REQUEST_TIMEOUT_MS: '1000', HTTP_WRITE_TIMEOUT_MS: '2000' }
    const set = { maxConnections: 7, requestTimeoutMs: 1000, writeTimeoutMs: 2000 }
    expect(parseEnv(env, kernelConfig).http).toMatchObject(set)
    for (const name of [...Object.keys(env), 'HTTP_HEADERS_TIMEOUT_MS', 'HTTP_KEEP_ALIVE_TIMEOUT_MS']) {
      expect(() => parseEnv({ [name]: '0' }, kernelConfig)).toThrow(name)
    }
  })

  it('limits no client unless asked to, and by a rate as many at once as in a second', () => {
    expect(parseEnv({}, kernelConfig).http).toMatchObject({ rateLimit: undefined, maxConnectionsPerClient: 0 })
    const limited = (env: Record<string, string>) => parseEnv(env, kernelConfig).http.rateLimit
    expect(limited({ HTTP_RATE_LIMIT: '2.5' })).toEqual({ perSecond: 2.5, burst: 3 })
    expect(limited({ HTTP_RATE_LIMIT: '2', HTTP_RATE_LIMIT_BURST: '10' })).toEqual({ perSecond: 2, burst: 10 })
    expect(() => limited({ HTTP_RATE_LIMIT: '-1' })).toThrow('HTTP_RATE_LIMIT')
    expect(() => parseEnv({ HTTP_TRUSTED_PROXIES: '10.0.0.0/8, gateway' }, kernelConfig)).toThrow(
      'HTTP_TRUSTED_PROXIES',
    )
  })

  it.each(['INFO', 'Info', 'info'])('takes a log level in any case: %s', (LOG_LEVEL) => {
    expect(parseEnv({ LOG_LEVEL }, kernelConfig).log).toEqual({ level: 'info' })
  })

  it('takes WARNING for warn, and refuses another word', () => {
    expect(parseEnv({ LOG_LEVEL: 'WARNING' }, kernelConfig).log).toEqual({ level: 'warn' })
    expect(() => parseEnv({ LOG_LEVEL: 'loud' }, kernelConfig)).toThrow(
      'LOG_LEVEL="loud": expected one of silent, fatal, error, warn, info, debug, trace',
    )
  })

  it('decisions 3.180: takes 1 alone for the proxies of the environment, as Node does, and refuses another word', () => {
    for (const NODE_USE_ENV_PROXY of ['', '0', '1']) parseEnv({ NODE_USE_ENV_PROXY }, kernelConfig)
    expect(() => parseEnv({ NODE_USE_ENV_PROXY: 'true' }, kernelConfig)).toThrow(
      'NODE_USE_ENV_PROXY="true": expected one of 0, 1',
    )
  })

  it.each(['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'])(
    'decisions 3.180: refuses a proxy that only some of the clients of Node use, without its value: %s',
    (name) => {
      const proxied = (url: string) => parseEnv({ NODE_USE_ENV_PROXY: '1', [name]: url }, kernelConfig)
      for (const url of ['http://a:3128', 'https://u:p@a:3128', '']) proxied(url)
      for (const url of ['socks5://u:hunter2@a', 'HTTP://u:hunter2@a', 'u:hunter2@a:3128', 'a:3128']) {
        expect(() => proxied(url)).toThrow(
          `invalid configuration: ${name} (value hidden): expected a URL that begins with http:// or https://, in lower case`,
        )
      }
      parseEnv({ [name]: 'socks5://a' }, kernelConfig)
    },
  )

  it('has management at a port of its own when there is one, which cannot be that of everything else', () => {
    const management = (env: Record<string, string>) => parseEnv(env, kernelConfig).http.management
    expect(management({ MANAGEMENT_PORT: '0', HOST: '127.0.0.1' })).toEqual({ host: '127.0.0.1', port: 0 })
    const env = { MANAGEMENT_PORT: '9000', MANAGEMENT_HOST: '10.0.0.1' }
    expect(management(env)).toEqual({ host: '10.0.0.1', port: 9000 })
    expect(() => management({ MANAGEMENT_PORT: '8080' })).toThrow('the same port as PORT')
  })
})
