import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readCommandLine } from '../src/command-line.ts'
import { readConfig } from '../src/config.ts'
import { startEmbeddedKafka } from '../src/index.ts'
import { kcat } from './kcat.ts'
import { makeCertificates } from './openssl.ts'

const folder = mkdtempSync(join(tmpdir(), 'access-'))
afterAll(() => rmSync(folder, { recursive: true }))

const startWith = (...args: readonly string[]) =>
  startEmbeddedKafka(readConfig({}, readCommandLine(['--port', '0', ...args])))

// Without the programs there is nothing to run; CI installs them.
describe('embedded-kafka --sasl, --tls, and kcat (librdkafka)', { tags: 'kcat' }, () => {
  it.each(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'])(
    'lets each user in by %s, and nobody else',
    async (mechanism) => {
      await using broker = await startWith('--sasl', 'alice:p:a=s;s', '--sasl', 'bob:b')
      const as = (user: string, password: string) => [
        ...['-b', broker.bootstrapServers, '-t', 'beers', '-X', 'security.protocol=SASL_PLAINTEXT'],
        ...['-X', `sasl.mechanisms=${mechanism}`, '-X', `sasl.username=${user}`, '-X', `sasl.password=${password}`],
      ]
      await kcat([...as('alice', 'p:a=s;s'), '-P'], 'one')
      expect(await kcat([...as('bob', 'b'), '-C', '-e', '-q', '-o', 'beginning'])).toBe('one\n')
      await expect(kcat([...as('bob', 'p:a=s;s'), '-L', '-m', '2'])).rejects.toThrow()
      await expect(kcat(['-b', broker.bootstrapServers, '-L', '-m', '2'])).rejects.toThrow()
    },
  )

  it.each([
    ['SSL', []],
    ['SASL_SSL', ['--sasl', 'alice:secret']],
  ])('speaks %s with the key of a file', { tags: 'openssl' }, async (protocol, args) => {
    const certificates = makeCertificates(folder)
    const { key, certificate } = certificates.issue('broker', '/CN=broker')
    const file = join(folder, 'broker.pem')
    writeFileSync(file, key + certificate)
    await using broker = await startWith('--tls', file, ...args)
    const client = ['-X', `security.protocol=${protocol}`, '-X', `ssl.ca.location=${certificates.ca}`]
    const user = ['sasl.mechanisms=PLAIN', 'sasl.username=alice', 'sasl.password=secret'].flatMap((one) => ['-X', one])
    const target = ['-b', broker.bootstrapServers, '-t', 'beers', ...client, ...(args.length > 0 ? user : [])]
    await kcat([...target, '-P'], 'one')
    expect(await kcat([...target, '-C', '-e', '-q', '-o', 'beginning'])).toBe('one\n')
  })
})

describe('embedded-kafka --sasl and --tls', () => {
  const problemsOf = (args: readonly string[], env = {}) => {
    try {
      readConfig(env, readCommandLine(args))
      return 'none'
    } catch (error) {
      return String(error)
    }
  }

  it.each([
    [['--sasl', 'alice'], {}, /--sasl must be USER:PASSWORD, .*; entry 1 is not$/],
    [['--sasl', 'a:b', '--sasl', 'c:hidden"'], {}, /entry 2 is not$/],
    [['--sasl', 'a:b', '--sasl', 'a:hidden'], {}, /--sasl must name a user once; entry 2 names "a" again$/],
    [['--tls', '/nowhere.pem'], {}, /--tls: \/nowhere.pem cannot be read$/],
    [['--tls', 'f', '--sasl', 'a:b'], { KAFKA_LISTENERS: 'A://:1' }, /--sasl and --tls must not be .* KAFKA_LISTENERS/],
    [['--sasl', 'a:b'], { KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'A:SSL' }, /--sasl must not be .*PROTOCOL_MAP/],
    [['--sasl', 'a:b'], { KAFKA_ADD_SCRAM: 'x' }, /--sasl must not be given together with KAFKA_ADD_SCRAM/],
  ])('refuses %j with %j, and shows no password', (args, env, message) => {
    const problems = problemsOf(args, env)
    expect(problems).toMatch(message)
    expect(problems).not.toContain('hidden')
  })
})
