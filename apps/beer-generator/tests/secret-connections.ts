import { readHealth, type TestProcess, waitFor } from '@taproom/testkit'
import { expect } from 'vitest'

export const SECRET = 'distinctive-Pa55phrase'
/** A connection with a password. */
export const plain = {
  KAFKA_SECURITY_PROTOCOL: 'SASL_PLAINTEXT',
  KAFKA_SASL_MECHANISM: 'PLAIN',
  KAFKA_SASL_USERNAME: 'alice',
  KAFKA_SASL_PASSWORD: SECRET,
}
/** A connection with tokens of an endpoint that is not there. */
export const token = (port: number) => ({
  KAFKA_SECURITY_PROTOCOL: 'SASL_PLAINTEXT',
  KAFKA_SASL_MECHANISM: 'OAUTHBEARER',
  KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL: `http://127.0.0.1:${port}/token`,
  KAFKA_SASL_OAUTHBEARER_CLIENT_ID: 'taproom',
  KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET: SECRET,
})

/** All that it has written. */
export const outputOf = ({ lines, errors }: TestProcess) => JSON.stringify([lines, errors])

/** The pages of a process where a secret could come out, after it has failed to connect to Kafka twice. */
export async function pagesWhileConnectingFails(generator: TestProcess): Promise<readonly string[]> {
  const url = await generator.url()
  await waitFor('a second attempt', () => outputOf(generator).split('cannot connect').length > 2)
  const { checks, status } = await readHealth(url, 'ready')
  expect(status).toBe(503)
  expect(checks['Kafka outgoing channel beers']).toMatchObject({ status: 'DOWN' })
  const paths = ['/q/health', '/q/health/ready', '/q/health/well', '/q/metrics']
  return await Promise.all(paths.map(async (path) => await (await fetch(`${url}${path}`)).text()))
}
