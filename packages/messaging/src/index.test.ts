import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import * as messaging from './index.ts'

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
const kafka = messaging.createKafka({ clientId: 'test', bootstrapServers: '127.0.0.1:9', log })

describe('createKafka', () => {
  it.each(['localhost:9092', '127.0.0.1:9092, kafka-2.default.svc:19092'])('takes %s', (servers) => {
    expect(() => messaging.createKafka({ clientId: 'test', bootstrapServers: servers, log })).not.toThrow()
  })

  it.each([
    '',
    'localhost',
    'localhost:0',
    'localhost:65536',
    'http://localhost:9092',
    'a:9092,',
    '[::1]:9092',
    '::1:9092',
  ])('refuses %j, naming option and value', (servers) => {
    expect(() => messaging.createKafka({ clientId: 'test', bootstrapServers: servers, log })).toThrow(
      new RangeError(`bootstrapServers must be a list of host:port, received ${JSON.stringify(servers)}`),
    )
  })
})

describe('decisions 3.30: security that cannot work', () => {
  const create = (security: messaging.KafkaSecurity) =>
    messaging.createKafka({ clientId: 'test', bootstrapServers: 'kafka:9093', security, log })

  it.each<[string, messaging.KafkaTls]>([
    ['ca', { ca: '' }],
    ['certificate', { certificate: '', key: '-----BEGIN PRIVATE KEY-----' }],
    ['key', { certificate: '-----BEGIN CERTIFICATE-----', key: 'distinctive' }],
  ])('a text for %s that is no PEM', (option, tls) => {
    expect(() => create({ tls })).toThrow(new RangeError(`${option} must be PEM, or name a file of it`))
  })

  it.each([
    'https://admin:distinctive@issuer.example/token',
    'https://distinctive@issuer.example/token',
    'ftp://issuer.example/distinctive',
    'distinctive',
  ])('%s for the token endpoint; the error does not repeat it', (url) => {
    const token = { url, clientId: 'taproom', clientSecret: 'sesame' }
    expect(() => create({ sasl: { mechanism: 'OAUTHBEARER', token } })).toThrow(
      new RangeError('the URL of the token endpoint must be an https or http URL without user and password'),
    )
  })
})

describe('parseBootstrapServers', () => {
  it('gives back what createKafka takes, and refuses the rest like it', () => {
    expect(messaging.parseBootstrapServers('a:9092, b:9093')).toBe('a:9092, b:9093')
    expect(() => messaging.parseBootstrapServers('kafka')).toThrow(RangeError)
  })
})

describe('options', () => {
  const onMessage = () => undefined
  it.each([
    ['topic', () => messaging.openOutgoing(kafka, { channel: 'not a topic' })],
    ['bufferSize', () => messaging.openOutgoing(kafka, { channel: 'beers', bufferSize: 0 })],
    ['timeoutMs', () => messaging.openOutgoing(kafka, { channel: 'beers', timeoutMs: Number.NaN })],
    ['concurrency', () => messaging.openIncoming(kafka, { channel: 'beers', concurrency: 1.5, onMessage })],
    ['groupId', () => messaging.openIncoming(kafka, { channel: 'beers', groupId: '', onMessage })],
  ])('%s is checked when the channel is opened', (option, open) => {
    expect(open).toThrow(RangeError)
    expect(open).toThrow(new RegExp(`^${option} must be `))
  })
})

describe('errors', () => {
  it('are the ones the README lists, with their codes', async () => {
    const errors = [
      messaging.ChannelNotReadyError,
      messaging.BufferFullError,
      messaging.SendTimeoutError,
      messaging.SendRefusedError,
      messaging.InvalidMessageError,
      messaging.ChannelClosedError,
    ].map((Type) => new Type('message', { channel: 'beers', cause: new Error('why') }))
    const listed = [...readme.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map((match) => match[1])
    expect(listed).toEqual(errors.map((error) => error.code))
    for (const error of errors) {
      expect(error).toBeInstanceOf(messaging.MessagingError)
      expect(error.name).toBe(error.constructor.name)
      expect(error.channel).toBe('beers')
      expect(error.cause).toEqual(new Error('why'))
    }
  })
})

describe('the folders of src', () => {
  const table = readme.slice(readme.indexOf('| folder '))
  const rows = [...table.matchAll(/^\| (`[a-z`, -]+`) +\|/gm)].map(([, names = '']) =>
    names.replaceAll('`', '').split(', '),
  )
  const rowOf = (folder: string) => rows.findIndex((folders) => folders.includes(folder))

  it('import only from those in the rows below them, types included', async () => {
    const wrong: string[] = []
    for (const file of globSync('*/*.ts', { cwd: import.meta.dirname })) {
      const [folder = ''] = file.split('/')
      const text = await readFile(new URL(file, import.meta.url), 'utf8')
      const used = [...text.matchAll(/from '\.\.\/([a-z]+)\//g)].map(([, name = '']) => name)
      wrong.push(...used.filter((name) => rowOf(name) <= rowOf(folder)).map((name) => `${file} imports from ${name}`))
      if (rowOf(folder) === -1) wrong.push(`${folder} is not in the table`)
    }
    expect(wrong).toEqual([])
  })
})
