import { describe, expect, it } from 'vitest'
import { ConfigError, type Env, type EnvReader, kernelConfig, parseEnv } from '../index.ts'

function problemsOf(env: Env, build: (read: EnvReader) => unknown): readonly string[] {
  try {
    parseEnv(env, build)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('parseEnv', () => {
  it('takes the default of an unset and of an empty variable', () => {
    const config = parseEnv({ B: '  ' }, (read) => ({
      a: read.integer('A', { default: 1 }),
      b: read.boolean('B', { default: true }),
    }))
    expect(config).toEqual({ a: 1, b: true })
  })

  it('names every problem at once, each with variable, value and expectation', () => {
    const problems = problemsOf(
      { PORT: '99999', MODE: 'fast', ROOT: 'x', ON: 'yes', URL: 'ftp://a', RATIO: '1e3' },
      (read) => [
        read.integer('PORT', { default: 1, min: 0, max: 65_535 }),
        read.oneOf('MODE', ['slow'], { default: 'slow' }),
        read.custom('ROOT', {
          expected: 'a path',
          parse: () => {
            throw new Error('no')
          },
        }),
        read.boolean('ON', { default: false }),
        read.url('URL'),
        read.number('RATIO', { default: 0, max: 1 }),
        read.string('MISSING'),
      ],
    )
    expect(problems).toEqual([
      'PORT="99999": expected a whole number from 0 to 65535',
      'MODE="fast": expected one of slow',
      'ROOT="x": expected a path',
      'ON="yes": expected true or false',
      'URL="ftp://a": expected an absolute URL (http://… or https://…)',
      'RATIO="1e3": expected a number of at most 1',
      'MISSING is not set: expected a text',
    ])
  })

  it('reports the problems found so far when building goes on with a placeholder and fails', () => {
    const problems = problemsOf({ KEY: 'garbage' }, (read) => {
      const key = read.custom<{ text: string }>('KEY', { expected: 'a key', parse: () => JSON.parse('{') })
      return key.text.length
    })
    expect(problems).toEqual(['KEY="garbage": expected a key'])
  })

  it('leaves a secret value out of its problem', () => {
    const problems = problemsOf({ DATABASE_URL: 'mysql://u:hunter2@h' }, (read) =>
      read.url('DATABASE_URL', { protocols: ['postgres'], secret: true }),
    )
    expect(problems).toEqual(['DATABASE_URL (value hidden): expected an absolute URL (postgres://…)'])
  })

  it.each(['mp.jwt.verify.issuer', 'mp_jwt_verify_issuer', 'MP_JWT_VERIFY_ISSUER'])(
    'finds a MicroProfile property as %s',
    (name) => {
      expect(parseEnv({ [name]: 'iss' }, (read) => read.optionalString('mp.jwt.verify.issuer'))).toBe('iss')
    },
  )

  it('lets an error of build through when no variable is to blame', () => {
    expect(() =>
      parseEnv({}, () => {
        throw new TypeError('a bug')
      }),
    ).toThrow(TypeError)
  })

  it('splits lists, trims them and drops empty items', () => {
    expect(parseEnv({ L: ' a, b,,c ' }, (read) => read.list('L'))).toEqual(['a', 'b', 'c'])
    expect(parseEnv({}, (read) => read.list('L'))).toEqual([])
    expect(parseEnv({ L: ' ' }, (read) => read.list('L'))).toEqual([])
    expect(problemsOf({ L: ' , ' }, (read) => read.list('L'))).toEqual([
      'L=",": expected a comma separated list of at least one text',
    ])
  })

  it('freezes the result through and through', () => {
    const config = parseEnv({}, kernelConfig)
    expect(() => Object.assign(config.http, { port: 1 })).toThrow(TypeError)
  })
})

describe('kernelConfig', () => {
  it('has the documented defaults', () => {
    expect(parseEnv({}, kernelConfig)).toEqual({
      mode: 'development',
      http: {
        ...{ host: '::', port: 8080, drainMs: 8000, maxConnections: 10_000, headersTimeoutMs: 10_000 },
        ...{ requestTimeoutMs: 60_000, keepAliveTimeoutMs: 5000, writeTimeoutMs: 30_000 },
        ...{
          maxConnectionsPerClient: 0,
          rateLimit: undefined,
          cors: undefined,
          unlimitedPaths: ['/q/health', '/q/metrics'],
        },
        ...{ accessLog: false, securityLog: false },
        trustedProxies: { check: expect.any(Function) },
      },
      log: { level: 'info' },
      health: { rootPath: '/q/health', ui: true },
      graceMs: 10_000,
    })
  })

  it('decisions 3.22: NODE_ENV=production is production, anything else development', () => {
    expect(parseEnv({ NODE_ENV: 'production' }, kernelConfig)).toMatchObject({
      mode: 'production',
      health: { ui: false },
    })
    expect(parseEnv({ NODE_ENV: 'staging' }, kernelConfig)).toMatchObject({ mode: 'development', health: { ui: true } })
  })

  it('decisions 3.51: in production, Node must not trust every certificate', () => {
    const loose = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
    const problems = problemsOf({ ...loose, NODE_ENV: 'production' }, kernelConfig)
    expect(problems).toEqual([
      expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED: 0 would .* expected NODE_EXTRA_CA_CERTS/),
    ])
    expect(problemsOf(loose, kernelConfig)).toEqual([])
    expect(problemsOf({ NODE_TLS_REJECT_UNAUTHORIZED: '1', NODE_ENV: 'production' }, kernelConfig)).toEqual([])
  })

  it.each(['health', '/health/', '/a b', '/a?b', '/'])('refuses HEALTH_ROOT_PATH=%s', (path) => {
    expect(problemsOf({ HEALTH_ROOT_PATH: path }, kernelConfig)).toHaveLength(1)
  })
})
