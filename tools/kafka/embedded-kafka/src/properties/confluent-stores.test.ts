import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withConfluentStores } from './confluent-stores.ts'

it('reads the stores and passwords that variables of Confluent’s image name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  try {
    writeFileSync(join(folder, 'creds'), 'secret\n')
    const problems: string[] = []
    const env = {
      KAFKA_PORT: '1',
      KAFKA_SSL_KEYSTORE_FILENAME: 'a.jks',
      KAFKA_SSL_KEYSTORE_CREDENTIALS: 'creds',
      KAFKA_SSL_TRUSTSTORE_FILENAME: 'b.jks',
      KAFKA_SSL_KEY_CREDENTIALS: 'none',
    }
    expect(withConfluentStores(env, problems, { folder }).env).toEqual({
      KAFKA_PORT: '1',
      KAFKA_SSL_KEYSTORE_LOCATION: join(folder, 'a.jks'),
      KAFKA_SSL_KEYSTORE_PASSWORD: 'secret',
      KAFKA_SSL_TRUSTSTORE_LOCATION: join(folder, 'b.jks'),
    })
    const problem = `KAFKA_SSL_KEY_CREDENTIALS must name a file in ${folder} that can be read; got "none": `
    expect(problems).toEqual([expect.stringContaining(problem)])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
