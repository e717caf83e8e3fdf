import { describe, expect, it } from 'vitest'
import { StateStore } from '../../storage/state-store.ts'
import { type Acl, ALLOW, DENY, LITERAL, OPERATIONS, type Operation, PREFIXED, RESOURCE_TYPES } from './acl.ts'
import { AclStore } from './acl-store.ts'
import { Authorizer } from './authorizer.ts'

const alice = { principal: 'User:alice', host: '10.0.0.1' }

function aclOf(operation: Operation, change: Partial<Acl> = {}): Acl {
  return {
    resourceType: RESOURCE_TYPES.TOPIC,
    resourceName: 'beer',
    patternType: LITERAL,
    principal: 'User:alice',
    host: '*',
    operation: OPERATIONS[operation],
    permissionType: ALLOW,
    ...change,
  }
}

function withAcls(acls: readonly Acl[], allowEveryoneIfNoAclFound = false) {
  const store = new AclStore(new StateStore())
  for (const acl of acls) store.add(acl)
  const superUsers = new Set(['User:admin'])
  return { store, authorizer: new Authorizer(store, { superUsers, allowEveryoneIfNoAclFound }) }
}

describe('the authorizer', () => {
  const deny = { permissionType: DENY }
  it.each<[string, readonly Acl[], Operation, boolean]>([
    ['nothing without an ACL', [], 'READ', false],
    ['what is allowed', [aclOf('READ')], 'READ', true],
    ['nothing else', [aclOf('READ')], 'WRITE', false],
    ['everything by ALL', [aclOf('ALL')], 'ALTER_CONFIGS', true],
    ['to describe by READ', [aclOf('READ')], 'DESCRIBE', true],
    ['to describe by WRITE', [aclOf('WRITE')], 'DESCRIBE', true],
    ['to describe by DELETE', [aclOf('DELETE')], 'DESCRIBE', true],
    ['to describe by ALTER', [aclOf('ALTER')], 'DESCRIBE', true],
    ['not to describe by CREATE', [aclOf('CREATE')], 'DESCRIBE', false],
    ['to describe settings by ALTER_CONFIGS', [aclOf('ALTER_CONFIGS')], 'DESCRIBE_CONFIGS', true],
    ['not to read by DESCRIBE', [aclOf('DESCRIBE')], 'READ', false],
    ['nothing that is denied', [aclOf('READ'), aclOf('READ', deny)], 'READ', false],
    ['nothing where all is denied', [aclOf('READ'), aclOf('ALL', deny)], 'READ', false],
    ['to describe where reading is denied', [aclOf('DESCRIBE'), aclOf('READ', deny)], 'DESCRIBE', true],
    ['by a prefix', [aclOf('READ', { resourceName: 'be', patternType: PREFIXED })], 'READ', true],
    ['nothing by a literal beginning', [aclOf('READ', { resourceName: 'be' })], 'READ', false],
    ['by the name *', [aclOf('READ', { resourceName: '*' })], 'READ', true],
    ['nothing by the prefix *', [aclOf('READ', { resourceName: '*', patternType: PREFIXED })], 'READ', false],
    ['by User:*', [aclOf('READ', { principal: 'User:*' })], 'READ', true],
    ['nothing of another user', [aclOf('READ', { principal: 'User:bob' })], 'READ', false],
    ['from the address', [aclOf('READ', { host: alice.host })], 'READ', true],
    ['nothing from another address', [aclOf('READ', { host: '10.0.0.2' })], 'READ', false],
    ['nothing of another type', [aclOf('READ', { resourceType: RESOURCE_TYPES.GROUP })], 'READ', false],
  ])('allows %s', (_what, acls, operation, expected) => {
    const { authorizer } = withAcls(acls)
    for (let time = 1; time <= 2; time += 1) expect(authorizer.allows(alice, operation, 'TOPIC', 'beer')).toBe(expected)
    expect(authorizer.allows({ ...alice, principal: 'User:admin' }, operation, 'TOPIC', 'beer')).toBe(true)
  })

  it('allows everybody what no ACL is about, if it is told to', () => {
    const { authorizer } = withAcls([aclOf('READ', { principal: 'User:bob' })], true)
    expect(authorizer.allows(alice, 'READ', 'TOPIC', 'wine')).toBe(true)
    expect(authorizer.allows(alice, 'READ', 'TOPIC', 'beer')).toBe(false)
  })

  it('follows changes at once', () => {
    const { authorizer, store } = withAcls([])
    expect(authorizer.allows(alice, 'READ', 'TOPIC', 'beer')).toBe(false)
    store.add(aclOf('READ'))
    expect(authorizer.allows(alice, 'READ', 'TOPIC', 'beer')).toBe(true)
    store.remove(aclOf('READ'))
    expect(authorizer.allows(alice, 'READ', 'TOPIC', 'beer')).toBe(false)
  })

  it.each<[string, readonly Acl[], boolean]>([
    ['nowhere', [], false],
    ['somewhere', [aclOf('WRITE')], true],
    ['not where it is denied', [aclOf('WRITE'), aclOf('WRITE', deny)], false],
    ['beside what is denied', [aclOf('WRITE'), aclOf('WRITE', { ...deny, resourceName: 'wine' })], true],
    [
      'not where a prefix denies it',
      [aclOf('WRITE'), aclOf('ALL', { ...deny, resourceName: 'b', patternType: PREFIXED })],
      false,
    ],
    ['not where all of it is denied', [aclOf('WRITE'), aclOf('WRITE', { ...deny, resourceName: '*' })], false],
  ])('says whether there is a topic to write to: %s', (_what, acls, expected) => {
    expect(withAcls(acls).authorizer.allowsAny(alice, 'WRITE', 'TOPIC')).toBe(expected)
  })
})
