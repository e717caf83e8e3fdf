import type { SecurityProperties } from '../../properties/security-properties.ts'
import type { AuthorizerRules } from './authorizer.ts'

/** Apache Kafka's authorizer, and the names that it had with ZooKeeper: the rules are the same. */
const CLASS = /(^|[.])(?:Standard|Acl|SimpleAcl)Authorizer$/

/** What these properties ask for: undefined is no authorizer, everybody may do everything. What is wrong is added to `problems`. */
export function planAuthorizer(properties: SecurityProperties, problems: string[]): AuthorizerRules | undefined {
  const type = properties.get('authorizer.class.name')
  const supers = properties.get('super.users')
  const everyone = properties.get('allow.everyone.if.no.acl.found')
  if (everyone.value !== undefined && !/^(true|false)$/i.test(everyone.value)) {
    problems.push(`${everyone.name} must be true or false; got "${everyone.value}"`)
  }
  const superUsers = (supers.value ?? '').split(';').flatMap((user) => user.trim() || [])
  for (const user of superUsers) {
    if (!/^[^:]+:./.test(user))
      problems.push(`${supers.name} must be User:name, several with semicolons; got "${user}"`)
  }
  if (type.value === undefined) {
    // It would look as if somebody were kept out.
    for (const { name, value } of [supers, everyone]) {
      if (value !== undefined) problems.push(`${name} has no effect without ${type.name}`)
    }
    return undefined
  }
  if (!CLASS.test(type.value)) {
    problems.push(`${type.name} must be org.apache.kafka.metadata.authorizer.StandardAuthorizer; got "${type.value}"`)
  }
  return {
    superUsers: new Set(superUsers),
    allowEveryoneIfNoAclFound: everyone.value?.toLowerCase() === 'true',
  }
}
