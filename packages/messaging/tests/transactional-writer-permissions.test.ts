import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } from '@taproom/kafkajs'
import { expect, it } from 'vitest'
import { createKafka, createTransactionalWriter } from '../src/index.ts'
import { recordLog } from './recorded-log.ts'

const { READ, WRITE } = AclOperationTypes
const { TOPIC, TRANSACTIONAL_ID, GROUP } = AclResourceTypes
const NEEDED = [
  ['write its topic', TOPIC, 'orders', WRITE],
  ['read its topic', TOPIC, 'orders', READ],
  ['write its transactional id', TRANSACTIONAL_ID, 'shop', WRITE],
  ['read its group', GROUP, 'shop', READ],
] as const

it('a writer of an outbox needs the permissions of the README, each of them, and no other', async () => {
  await using broker = await startEmbeddedKafka({
    listeners: 'SASL_PLAINTEXT://127.0.0.1:0',
    properties: {
      'sasl.enabled.mechanisms': 'PLAIN',
      'listener.name.sasl_plaintext.plain.sasl.jaas.config':
        'PlainLoginModule required user_admin="secret" user_shop="secret";',
      'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      'super.users': 'User:admin',
    },
  })
  const clientOf = (username: string) =>
    createKafka({
      clientId: username,
      bootstrapServers: broker.bootstrapServers,
      security: { sasl: { mechanism: 'PLAIN', username, password: 'secret' } },
      log: recordLog().log,
    })
  const admin = clientOf('admin').kafkajs.admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic: 'orders', numPartitions: 1 }] })
  const acls = NEEDED.map(([, resourceType, resourceName, operation]) => ({
    ...{ resourceType, resourceName, operation, resourcePatternType: ResourcePatternTypes.LITERAL },
    ...{ principal: 'User:shop', host: '*', permissionType: AclPermissionTypes.ALLOW },
  }))
  const writer = createTransactionalWriter(clientOf('shop'), { topic: 'orders', transactionalId: 'shop' })
  const write = async (number: number) => {
    await using session = await writer.open({ outboxId: 'shop' })
    await session.write({ number, messages: [{ value: `${number}` }] })
    await using next = await writer.open({ outboxId: 'shop' })
    return next.last
  }
  await admin.createAcls({ acl: acls })
  expect(await write(1)).toBe(1)
  for (const [index, [what]] of NEEDED.entries()) {
    const acl = acls.slice(index, index + 1)
    await admin.deleteAcls({ filters: acl })
    await expect(write(2), what).rejects.toThrow(/authoriz|coordinator/i)
    await admin.createAcls({ acl })
  }
  expect(await write(3)).toBe(3)
  await admin.disconnect()
})
