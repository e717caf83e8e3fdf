import { ConfigError } from '@taproom/service'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const folders = { manifests: '/manifests', apps: '/apps' }

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig({}, folders)).toMatchObject({
      http: { port: 8080 },
      kube: { host: '127.0.0.1', isLocalOnly: true, port: 8001, allowedHosts: [], tokenFile: undefined },
      kafka: { bootstrapServers: 'localhost:9092', sessionTimeoutMs: 6000, partitions: 1 },
      manifests: '/manifests',
      serving: { appsDir: '/apps', idleMs: 60_000, startTimeoutMs: 30_000, queueSize: 10_000 },
    })
  })

  it('keeps the token of the resource API beside the resources, unless another place is set', () => {
    const tokenFile = (env: object) => readConfig({ RESOURCES_FILE: '/data/r.json', ...env }, folders).kube.tokenFile
    expect(tokenFile({})).toBe('/data/kube-token')
    expect(tokenFile({ KUBE_TOKEN_FILE: '/keys/token' })).toBe('/keys/token')
  })

  it('decisions 3.47, 3.50: names the issuer of its tokens after its own address, and keeps the key beside the resources', () => {
    const oidc = (env: object) => readConfig({ RESOURCES_FILE: '/data/r.json', ...env }, folders).oidc
    expect(oidc({})).toEqual({ issuer: 'http://localhost:8080', keyFile: '/data/oidc-key.pem' })
    const tls = { HTTP_SSL_CERTIFICATE_LOCATION: '/tls/crt', HTTP_SSL_KEY_LOCATION: '/tls/key' }
    expect(oidc({ ...tls, PORT: '8443' }).issuer).toBe('https://localhost:8443')
    expect(oidc({ PORT: '0', OIDC_KEY_FILE: '/keys/k.pem' })).toEqual({ issuer: undefined, keyFile: '/keys/k.pem' })
    expect(oidc({ OIDC_ISSUER: 'https://events.example/a' }).issuer).toBe('https://events.example/a')
    for (const OIDC_ISSUER of [
      'events.example',
      'ftp://a',
      'https://a/',
      'https://u@a',
      'https://a?b',
      'https://a#b',
      'https://',
    ]) {
      expect(() => oidc({ OIDC_ISSUER })).toThrow(/OIDC_ISSUER/)
    }
  })

  it('decisions 3.48: lets brokers want tokens, which they do not by default', () => {
    const authorization = (env: object) => readConfig({ ...env }, folders).authorization
    expect(authorization({})).toEqual({ issuers: [], mode: 'allow-same-namespace' })
    const env = { BROKER_TOKEN_ISSUERS: 'https://a.example/, http://b:1/c', DEFAULT_AUTHORIZATION_MODE: 'deny-all' }
    expect(authorization(env)).toEqual({ issuers: ['https://a.example/', 'http://b:1/c'], mode: 'deny-all' })
    for (const BROKER_TOKEN_ISSUERS of ['a.example', 'https://a,https://a', 'https://u@a', 'https://a?b', 'https://']) {
      expect(() => authorization({ BROKER_TOKEN_ISSUERS })).toThrow(/BROKER_TOKEN_ISSUERS/)
    }
    expect(() => authorization({ DEFAULT_AUTHORIZATION_MODE: 'allow' })).toThrow(/DEFAULT_AUTHORIZATION_MODE/)
  })

  it.each([
    ['127.0.0.1', true],
    ['127.8.8.8', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.1.2', false],
    ['127.evil.example', false],
  ])('knows whether others reach %s', (KUBE_HOST, isLocalOnly) => {
    expect(readConfig({ KUBE_HOST }, folders).kube.isLocalOnly).toBe(isLocalOnly)
  })

  it('takes host names and addresses that the resource API answers', () => {
    const { kube } = readConfig({ KUBE_ALLOWED_HOSTS: 'Platform.example, [fe80::1],10.0.0.1' }, folders)
    expect(kube.allowedHosts).toEqual(['platform.example', '[fe80::1]', '10.0.0.1'])
    for (const KUBE_ALLOWED_HOSTS of ['*', 'a:8001', 'http://a', 'a b', '*.example', '.example']) {
      expect(() => readConfig({ KUBE_ALLOWED_HOSTS }, folders)).toThrow(/KUBE_ALLOWED_HOSTS/)
    }
  })

  it('names every invalid variable at once', () => {
    const env = { KUBE_PORT: '70000', SCALE_TO_ZERO_IDLE_MS: '0', KAFKA_BOOTSTRAP_SERVERS: 'kafka' }
    expect(() => readConfig(env, folders)).toThrow(ConfigError)
    expect(() => readConfig(env, folders)).toThrow(/KAFKA_BOOTSTRAP_SERVERS.*KUBE_PORT.*SCALE_TO_ZERO_IDLE_MS/)
  })

  it('gives sinks nothing of its own environment but what a process needs', () => {
    const env = { PATH: '/bin', NODE_ENV: 'production', MANIFESTS: '/x', SECRET_TOKEN: 'x', PORT: '1' }
    expect(readConfig(env, folders).serving.env).toEqual({ PATH: '/bin', NODE_ENV: 'production' })
  })

  it('decisions 3.153: gives a sink its own variables, and refuses those that it may not have without their values', () => {
    const env = { SINK_ORDER_LEDGER__DATABASE_URL: 'postgres://secret', SINK_LEDGER__A__B: 'x', SINK_LEDGER__EMPTY: '' }
    expect(readConfig({ ...env, SINK_QUEUE_SIZE: '5' }, folders).serving.given).toEqual({
      SINK_ORDER_LEDGER__DATABASE_URL: 'postgres://secret',
      SINK_LEDGER__A__B: 'x',
    })
    const wrong = { SINK_LEDGER__NODE_OPTIONS: '--import secret' }
    expect(() => readConfig(wrong, folders)).toThrow(
      /SINK_LEDGER__NODE_OPTIONS: is for a sink, which may not have NODE_OPTIONS/,
    )
    expect(() => readConfig(wrong, folders)).not.toThrow(/secret/)
  })
})
