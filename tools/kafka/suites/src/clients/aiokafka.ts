import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAuthority } from '@taproom/testkit'
import { type BrokerNeeds, LENIENT_ACLS, plainUsers } from '../broker-kind.ts'
import { pythonSuite } from '../python-suite.ts'

/** The password of the key, as the tests have it. */
const KEY_PASSWORD = 'abcdefgh'
const USERS = { admin: 'admin', test: 'test', test2: 'test2' }
const TESTS = ['admin', 'client', 'consumer', 'coordinator', 'fetcher', 'pep492', 'producer', 'sasl', 'sender']
const TRANSACTION_TESTS = ['transactional_consumer', 'transactional_producer']

const tlsFolder = (folder: string) => join(folder, 'tls')

/** The broker as in the container that the tests would start: listeners of all kinds, users, ACLs. */
async function needs(folder: string, port: number): Promise<BrokerNeeds> {
  const read = (name: string) => readFile(join(tlsFolder(folder), name), 'utf8')
  const listeners = ['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL']
  return {
    listeners: listeners.map((name, index) => `${name}://127.0.0.1:${port + index}`).join(','),
    defaultPartitions: 2,
    security: {
      'ssl.keystore.type': 'PEM',
      'ssl.keystore.key': await read('server.key'),
      'ssl.keystore.certificate.chain': await read('server.crt'),
      'ssl.truststore.type': 'PEM',
      'ssl.truststore.certificates': await read('ca.crt'),
      'listener.name.ssl.ssl.client.auth': 'required',
      'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
      ...plainUsers('sasl_plaintext', USERS),
      ...plainUsers('sasl_ssl', USERS),
      ...LENIENT_ACLS,
      'super.users': 'User:admin;User:ANONYMOUS',
    },
  }
}

async function arrange(folder: string): Promise<void> {
  // The sources of the client would hide the installed package with its compiled parts.
  await rm(join(folder, 'aiokafka'), { recursive: true })
  await rm(join(folder, 'docker'), { recursive: true })
  const fixtures = await readFile(new URL('../../python/aiokafka_conftest.py', import.meta.url), 'utf8')
  await appendFile(join(folder, 'tests', 'conftest.py'), fixtures)
  const authority = createAuthority()
  const server = authority.issue({ names: ['localhost', '127.0.0.1'] })
  const client = authority.issue({ commonName: 'client' })
  await mkdir(tlsFolder(folder))
  const files = {
    'ca.crt': authority.certificate,
    'server.crt': server.certificate,
    'server.key': server.key,
    'client.crt': client.certificate,
    'client.key': client.keyEncryptedWith(KEY_PASSWORD),
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(tlsFolder(folder), name), content)
}

export const AIOKAFKA = pythonSuite({
  name: 'aiokafka',
  version: '0.14.0',
  repository: 'aio-libs/aiokafka',
  packages: [
    'aiokafka==0.14.0',
    'async-timeout==5.0.1',
    // For ACLs and users, in place of scripts in a container.
    'confluent-kafka==2.15.0',
    'cramjam==2.11.0',
    'docker==7.1.0',
    'pytest==9.0.2',
    'pytest-asyncio==1.3.0',
    'pytest-mock==3.15.1',
    'pytest-timeout==2.4.0',
  ],
  tests: [...TESTS, ...TRANSACTION_TESTS].map((name) => `tests/test_${name}.py`),
  flags: ['--docker-image', 'broker_4.1.0', '-k', 'not gssapi'],
  env: ({ folder, port }) => ({ SUITE_TLS_FOLDER: tlsFolder(folder), SUITE_PORT: String(port) }),
  arrange,
  needs,
})
