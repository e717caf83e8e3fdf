import { execFileSync } from 'node:child_process'
import { mkdir, open } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runSystem } from '../src/index.ts'
import { runHere } from './fixtures/command.ts'
import { makeSurroundings, runStart, type Variables } from './fixtures/system.ts'
import { system } from './fixtures/taproom.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** What ends before anything is opened. */
const startHere = (variables: Variables, ...args: readonly string[]) =>
  runHere(variables, () => runSystem(system, { root: ROOT, program: (name) => name }, args))

describe('pnpm start --help', () => {
  it('prints the usage and starts nothing', async () => {
    const { code, stdout, stderr } = await startHere({ PORT: 'abc' }, '--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^usage: pnpm start \[--fresh\] \[--no-watch\] /)
  })
})

describe('a start that fails', () => {
  it.concurrent('ends itself after a signal, whatever it hangs in', async () => {
    await using place = await makeSurroundings()
    const state = place.variables['TAPROOM_STATE_DIR'] ?? ''
    await mkdir(state)
    execFileSync('mkfifo', [join(state, 'lock')])
    const start = runStart(place.variables)
    // Opens once the other end is read from; as nothing is written, that reading never ends.
    await using _writer = await open(join(state, 'lock'), 'w')
    start.signal('SIGTERM')
    expect(await start.exit).toBeNull()
    expect(start.stderr()).toContain('stopping')
  })

  it.concurrent('is one message when TAPROOM_STATE_DIR cannot be created', async () => {
    await using place = await makeSurroundings()
    const start = runStart({ ...place.variables, TAPROOM_STATE_DIR: '/proc/taproom' })
    expect(await start.exit).toBe(1)
    expect(start.stderr()).toContain('TAPROOM_STATE_DIR="/proc/taproom": ')
    expect(start.stderr().trim().split('\n')).toHaveLength(2)
  })

  it.concurrent('names each port in use with its variable and exits 1', async () => {
    await using place = await makeSurroundings()
    const servers = place.ports.map((port) => createServer().listen(port, '127.0.0.1'))
    try {
      const start = runStart(place.variables)
      expect(await start.exit).toBe(1)
      for (const name of ['PORT', 'KUBE_PORT', 'KAFKA_PORT']) {
        const port = place.variables[name]
        expect(start.stderr()).toContain(
          `port ${port} is in use: stop what listens there or set ${name} to a free port`,
        )
      }
      expect(start.stderr()).not.toContain('starting')
    } finally {
      for (const server of servers) server.close()
    }
  })

  it('tells every invalid variable of its own, and starts nothing', async () => {
    await using place = await makeSurroundings()
    const invalid = { KUBE_PORT: 'abc', MOVIE_API_PORT: '-1', KAFKA_DEVSERVICES_ENABLED: 'maybe' }
    const { code, stdout, stderr: told } = await startHere({ ...place.variables, ...invalid })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(told).toMatch(/^pnpm start failed:\n/)
    for (const name of Object.keys(invalid)) expect(told.split(name)).toHaveLength(2)
    expect(told.trim().split('\n')).toHaveLength(4)
  })

  it('reports wrong variables of services with its own, in one round', async () => {
    await using place = await makeSurroundings()
    const invalid = { KUBE_PORT: 'abc', PRICE_MIN: 'abc', FILM_RETRY_MAX_RETRIES: '-5', LOG_LEVEL: 'loud' }
    const { code, stderr } = await startHere({ ...place.variables, ...invalid })
    expect(code).toBe(1)
    const [first, ...problems] = stderr.trimEnd().split('\n')
    expect(first).toBe('pnpm start failed:')
    expect(problems).toHaveLength(4)
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^ {2}KUBE_PORT="abc": expected /),
        expect.stringMatching(/^ {2}LOG_LEVEL="loud": expected /),
        expect.stringMatching(/^ {2}PRICE_MIN="abc": expected .* \(price-generator\)$/),
        expect.stringMatching(/^ {2}FILM_RETRY_MAX_RETRIES="-5": expected .* \(movie-api\)$/),
      ]),
    )
  })

  it('tells once what any service has against its variables and files', async () => {
    await using place = await makeSurroundings()
    const invalid = {
      PRICE_MIN: 'abc',
      FILM_RETRY_MAX_RETRIES: '-5',
      FILM_STANDIN_DATA: '/nowhere/films.json',
      MANIFESTS: '/nowhere/manifests',
      MP_JWT_VERIFY_PUBLICKEY_LOCATION: '/nowhere/key.pem',
      MP_JWT_VERIFY_ISSUER: 'https://issuer.example',
    }
    const start = runStart({ ...place.variables, ...invalid })
    expect(await start.exit).toBe(1)
    const [, message = ''] = start.stderr().split('pnpm start failed:\n')
    for (const name of ['PRICE_MIN', 'FILM_RETRY_MAX_RETRIES', 'FILM_STANDIN_DATA', 'MANIFESTS']) {
      expect(message.split(name)).toHaveLength(2)
    }
    // Each service that verifies tokens reads the key.
    const verifying = Object.values(system.apps).filter(({ needs = [] }) => needs.some(({ name }) => name === 'issuer'))
    expect(message.split('key.pem')).toHaveLength(verifying.length + 1)
    expect(message.trim().split('\n')).toHaveLength(verifying.length + 4)
  })

  it.each([
    [
      'an invalid variable of its own',
      { KUBE_PORT: 'abc' },
      [],
      'KUBE_PORT="abc": expected a whole number from 0 to 65535',
    ],
    ['production mode without a key', { NODE_ENV: 'production' }, [], 'no development key is made in production mode'],
    ['an unknown argument', {}, ['--frsh'], 'usage: pnpm start [--fresh]'],
    [
      'a debugger for nothing',
      {},
      ['--inspect', 'nothing'],
      '--inspect nothing: there is no such service; expected one',
    ],
    [
      'a debugger in production mode',
      {
        NODE_ENV: 'production',
        MP_JWT_VERIFY_PUBLICKEY_LOCATION: 'key.pem',
        MP_JWT_VERIFY_ISSUER: 'https://issuer.example',
      },
      ['--inspect', 'claim-api'],
      '--inspect is not there in production mode',
    ],
  ])('says what is wrong in one message and exits 1: %s', async (_case, variables, args, message) => {
    await using place = await makeSurroundings()
    const { code, stderr } = await startHere({ ...place.variables, ...variables }, ...args)
    expect(code).toBe(1)
    expect(stderr).toContain(message)
    expect(stderr.trim().split('\n')).toHaveLength(2)
  })
})
