import { ConfigError } from '@taproom/service'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const folders = { manifests: '/manifests', apps: '/apps' }

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig({}, folders)).toMatchObject({
      http: { port: 8080 },
      kube: { host: '127.0.0.1', isLocalOnly: true, port: 8001 },
      kafka: { bootstrapServers: 'localhost:9092', sessionTimeoutMs: 6000, partitions: 1 },
      manifests: '/manifests',
      serving: { appsDir: '/apps', idleMs: 60_000, startTimeoutMs: 30_000, queueSize: 10_000 },
    })
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
})
