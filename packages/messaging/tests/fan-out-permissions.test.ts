import { startEmbeddedKafka } from '@taproom/embedded-kafka'
import { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } from '@taproom/kafkajs'
import { waitFor } from '@taproom/testkit'
import { expect, it } from 'vitest'
import { createKafka, openOutgoing } from '../src/index.ts'
import { openTexts } from './fan-out-parts.ts'
import { recordLog } from './recorded-log.ts'

it('a subscription whose group Kafka refuses holds up nobody, and begins when it is allowed', async () => {
  await using broker = await startEmbeddedKafka({
    listeners: 'SASL_PLAINTEXT://127.0.0.1:0',
    properties: {
      'sasl.enabled.mechanisms': 'PLAIN',
      'listener.name.sasl_plaintext.plain.sasl.jaas.config':
        'PlainLoginModule required user_admin="secret" user_alice="secret";',
      'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      'allow.everyone.if.no.acl.found': 'true',
      'super.users': 'User:admin',
    },
  })
  const { log, text } = recordLog()
  const clientOf = (username: string) =>
    createKafka({
      clientId: username,
      bootstrapServers: broker.bootstrapServers,
      security: { sasl: { mechanism: 'PLAIN', username, password: 'secret' } },
      log,
    })
  const admin = clientOf('admin').kafkajs.admin()
  await admin.connect()
  const allow = (principal: string) =>
    admin.createAcls({
      acl: [
        {
          resourceType: AclResourceTypes.GROUP,
          resourceName: 'refused',
          resourcePatternType: ResourcePatternTypes.LITERAL,
          principal,
          host: '*',
          operation: AclOperationTypes.ALL,
          permissionType: AclPermissionTypes.ALLOW,
        },
      ],
    })
  // Nobody else from now on.
  await allow('User:admin')
  const alice = clientOf('alice')
  await using outgoing = openOutgoing(alice, { channel: 'topic', timeoutMs: 60_000 })
  await outgoing.send({ value: 'a' })
  await using fanOut = openTexts(alice, 'topic')
  const refused = fanOut.subscribe('refused')
  const other = fanOut.subscribe('other')
  await waitFor('the other', () => other.seen.length >= 1)
  await waitFor('the reason', () => /kafka offsets not read[\s\S]*refused/.test(text()))
  await outgoing.send({ value: 'b' })
  await waitFor('the second message', () => other.seen.length >= 2)
  expect(refused.seen).toEqual([])
  await allow('User:alice')
  await admin.disconnect()
  await waitFor('what it has missed', () => refused.seen.length >= 2)
  expect([refused.seen, other.seen]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ])
})
