import { describe, expect, it } from 'vitest'
import { parseEnv } from './env.ts'
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
})
