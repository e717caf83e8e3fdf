import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuthority, type SecuredKafka, startSecuredKafka } from '@taproom/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { openKafkaConsole } from './fixtures/kafka.ts'

const PASSWORD = 'distinctive-Pa55phrase'
const authority = createAuthority()
let broker: SecuredKafka
let folder: string

beforeAll(async () => {
  broker = await startSecuredKafka(authority, PASSWORD)
  folder = await mkdtemp(join(tmpdir(), 'taproom-console-'))
  await writeFile(join(folder, 'ca.crt'), authority.certificate)
})
afterAll(async () => {
  await broker?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** As `pnpm start` passes the variables of the services on. */
function open(password: string) {
  const { kafka } = readConfig({
    CONSOLE_SECRET: 'x'.repeat(40),
    CONSOLE_CONTROL_SOCKET: '/nowhere',
    KAFKA_BOOTSTRAP_SERVERS: broker.sasl,
    KAFKA_SECURITY_PROTOCOL: 'SASL_SSL',
    KAFKA_SSL_CA_LOCATION: join(folder, 'ca.crt'),
    KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
    KAFKA_SASL_USERNAME: 'alice',
    KAFKA_SASL_PASSWORD: password,
  })
  return openKafkaConsole(kafka)
}

describe('a Kafka with TLS and SASL', () => {
  it('is read by the variables of the services', async () => {
    await using console = await open(PASSWORD)
    expect(await console.get('/topics')).toMatchObject({ status: 200, body: { total: expect.any(Number) } })
    expect(await console.get('/groups')).toMatchObject({ status: 200 })
  })

  it('that refuses the password is 503 with the reason, and without the password', async () => {
    await using console = await open('wrong-Pa55phrase')
    const answer = await console.get('/topics')
    expect(answer).toMatchObject({
      status: 503,
      body: { detail: 'Kafka refused the password of user alice (SASL SCRAM-SHA-512)' },
    })
    expect(JSON.stringify(answer)).not.toContain('Pa55phrase')
  })
})
