import { describe, expect, it } from 'vitest'
import { parseEnv } from './env.ts'
import type { Env } from './env-reader.ts'
import { recordReads } from './recorded-reads.ts'

function readsOf(env: Env) {
  const recorded = recordReads(env)
  const read = () =>
    parseEnv(recorded.env, (read) => ({
      name: read.string('NAME'),
      limit: read.integer('LIMIT', { default: 3, min: 1, max: 5 }),
      key: read.string('API_KEY', { default: 'a-default-key' }),
      feed: read.url('FEED', { default: 'http://feed.example', secret: true }),
      list: read.list('LIST'),
      maybe: read.optionalString('MAYBE'),
      issuer: read.optionalString('mp.jwt.verify.issuer'),
      parsed: read.custom('PARSED', { default: '1s', expected: 'a time', parse: (text) => ({ text }) }),
    }))
  return { read, reads: recorded.reads }
}

describe('recordReads', () => {
  it('tells what a configuration reads, by whom it is set, and what is expected', () => {
    const { read, reads } = readsOf({
      NAME: 'x',
      LIST: 'a, b',
      mp_jwt_verify_issuer: 'https://a:b@issuer.example',
      OTHER: '1',
    })
    read()
    expect(reads()).toEqual([
      { name: 'NAME', setAs: 'NAME', value: 'x', expected: 'a text' },
      { name: 'LIMIT', value: '3', expected: 'a whole number from 1 to 5' },
      { name: 'API_KEY', value: '[hidden]', expected: 'a text' },
      { name: 'FEED', value: '[hidden]', expected: 'an absolute URL (http://… or https://…)' },
      { name: 'LIST', setAs: 'LIST', value: 'a, b', expected: 'a comma separated list of at least one text' },
      { name: 'MAYBE' },
      { name: 'MP_JWT_VERIFY_ISSUER', setAs: 'mp_jwt_verify_issuer', value: 'https://***@issuer.example' },
      { name: 'PARSED', value: '1s', expected: 'a time' },
    ])
  })

  it('tells it of a configuration that is wrong, too', () => {
    const { read, reads } = readsOf({ LIMIT: 'many' })
    expect(read).toThrow('NAME is not set')
    expect(reads()).toHaveLength(8)
    expect(reads()[1]).toMatchObject({ name: 'LIMIT', value: 'many' })
  })

  it('hides passphrases, and no secret that is empty', () => {
    const { env, reads } = recordReads({ HTTP_SSL_KEY_PASSPHRASE: 'of the key' })
    parseEnv(env, (read) => ({
      passphrase: read.string('HTTP_SSL_KEY_PASSPHRASE', { default: '' }),
      password: read.string('DATABASE_PASSWORD', { default: '' }),
      feed: read.string('FEED', { default: '', secret: true }),
    }))
    expect(reads().map(({ name, value }) => [name, value])).toEqual([
      ['HTTP_SSL_KEY_PASSPHRASE', '[hidden]'],
      ['DATABASE_PASSWORD', ''],
      ['FEED', ''],
    ])
  })
})
