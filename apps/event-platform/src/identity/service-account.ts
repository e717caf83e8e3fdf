import { createHash } from 'node:crypto'
import { type NamespacedName, nameText } from '../resources/object.ts'

/** Kubernetes' limit for names, and what of it is left beside a hash. */
const MOST_CHARACTERS = 63
const HEAD_CHARACTERS = 31
const TRIGGER_SUFFIX = '-oidc-eventing.knative.dev-Trigger'

/** `status.auth.serviceAccountName` of a trigger: the account that it delivers as. Named as in Knative, long names by their hash. */
export function triggerAccount(trigger: string): string {
  const name = `${trigger}${TRIGGER_SUFFIX}`
  if (name.length <= MOST_CHARACTERS) return name.toLowerCase()
  return `${trigger.slice(0, HEAD_CHARACTERS)}${createHash('md5').update(name).digest('hex')}`
}

/** What `sub` is in the tokens of a trigger's deliveries: its service account, as Kubernetes writes it. */
export function triggerSubject({ namespace, name }: NamespacedName): string {
  return `system:serviceaccount:${nameText({ namespace, name: triggerAccount(name) }).replace('/', ':')}`
}
