import type { JsonObject } from '@taproom/core/limits'
import type { SenderRule } from '../eventing/broker-access.ts'
import { triggerSubject } from '../identity/service-account.ts'
import { type ConditionState, TRUE, withReady } from '../resources/conditions.ts'
import type { ObjectReference } from '../resources/destination.ts'
import type { EventPolicySpec, PolicyTarget } from '../resources/event-policy.ts'
import { KINDS, kindOf } from '../resources/kinds.ts'
import { type KubeObject, namespacedName } from '../resources/object.ts'
import type { Resource, ResourceStore } from '../resources/resource-store.ts'

/** A policy whose senders have been looked up. */
export interface ResolvedPolicy extends Resource<'EventPolicy'> {
  /** Subjects, and beginnings of subjects with `*`. */
  readonly from: readonly string[]
  /** The first sender that is not known here. It lets nobody in; the policy applies all the same. */
  readonly problem: string | undefined
  readonly rule: SenderRule
}

export function resolvePolicies(store: ResourceStore): readonly ResolvedPolicy[] {
  return store.resources('EventPolicy').map((policy) => {
    const from: string[] = []
    let problem: string | undefined
    for (const sender of policy.spec.from) {
      if ('sub' in sender) {
        from.push(sender.sub)
        continue
      }
      const subject = subjectOf(store, { namespace: namespacedName(policy.object).namespace, ...sender.ref })
      if (subject === undefined) problem ??= `${sender.ref.kind} "${sender.ref.name}" has no account here`
      else from.push(subject)
    }
    return { ...policy, from, problem, rule: ruleOf(from, policy.spec) }
  })
}

/** Only triggers send events here. */
function subjectOf(store: ResourceStore, ref: Required<ObjectReference>): string | undefined {
  const { namespace, name } = ref
  const isTrigger = kindOf(ref)?.kind === 'Trigger' && store.get({ kind: 'Trigger', namespace, name }) !== undefined
  return isTrigger ? triggerSubject({ namespace, name }) : undefined
}

/** Those that say who may send to a broker. */
export function policiesFor(broker: KubeObject, policies: readonly ResolvedPolicy[]): readonly ResolvedPolicy[] {
  return policies.filter(
    ({ object, spec }) =>
      object.metadata.namespace === broker.metadata.namespace &&
      (spec.to.length === 0 || spec.to.some((target) => isMeant(broker, target))),
  )
}

/** As Knative compares them: of any version, so that a policy for one that is not served here is not passed over. */
function groupOf({ apiVersion }: PolicyTarget): string {
  return apiVersion.split('/', 1)[0]?.toLowerCase() ?? ''
}

function isMeant({ metadata }: KubeObject, target: PolicyTarget): boolean {
  if (groupOf(target) !== KINDS.Broker.group || target.kind.toLowerCase() !== 'broker') return false
  return target.matches === undefined ? target.name === metadata.name : target.matches(metadata.labels ?? {})
}

function ruleOf(from: readonly string[], spec: EventPolicySpec): SenderRule {
  const isPrefix = (subject: string) => subject.endsWith('*')
  return {
    subjects: new Set(from.filter((subject) => !isPrefix(subject))),
    prefixes: from.filter(isPrefix).map((subject) => subject.slice(0, -1)),
    matches: spec.matches,
  }
}

export function eventPolicyStatus(
  { object, from, problem }: ResolvedPolicy,
  facts: { readonly isEnabled: boolean; readonly now: Date },
): JsonObject {
  const conditions = {
    AuthenticationEnabled: facts.isEnabled ? TRUE : DISABLED,
    SubjectsResolved:
      problem === undefined ? TRUE : ({ status: 'False', reason: 'SubjectsNotResolved', message: problem } as const),
  }
  return { ...withReady(object, conditions, facts.now), from }
}

const DISABLED: ConditionState = {
  status: 'False',
  reason: 'OIDCAuthenticationDisabled',
  message: 'Everyone may send events: BROKER_TOKEN_ISSUERS is not set.',
}
