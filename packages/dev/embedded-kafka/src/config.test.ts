import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { OptionError } from './errors.ts'

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toEqual({ host: '127.0.0.1', port: 9092, dataDir: undefined })
    expect(readConfig({ KAFKA_PORT: '', KAFKA_DATA_DIR: '' }).port).toBe(9092)
  })

  it('reads host, port and folder', () => {
    const env = { KAFKA_HOST: '0.0.0.0', KAFKA_PORT: '0', KAFKA_DATA_DIR: '/data' }
    expect(readConfig(env)).toEqual({ host: '0.0.0.0', port: 0, dataDir: '/data' })
  })

  for (const port of ['http', '-1', '65536', '9092.5', '0x10']) {
    it(`names the variable when the port is ${port}`, () => {
      expect(() => readConfig({ KAFKA_PORT: port })).toThrow(OptionError)
      expect(() => readConfig({ KAFKA_PORT: port })).toThrow(/KAFKA_PORT/)
    })
  }
})
