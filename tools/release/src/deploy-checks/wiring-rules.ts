import type { DeploymentSet } from './deployment-set.ts'
import { type KubeObject, nameOf, ofKind } from './kube-object.ts'
import { type LabelSelector, selected, selects } from './selectors.ts'

/** Whether references by labels, name or port find their object, and every Deployment has its budget. */
export function wiringProblems(set: DeploymentSet): string[] {
  return [...selectorProblems(set), ...serviceProblems(set), ...deploymentProblems(set), ...scalerProblems(set)]
}

function* selectorProblems({ objects, workloads }: DeploymentSet): Generator<string> {
  for (const { object, labels, name } of workloads) {
    const { spec } = object as KubeObject & { readonly spec?: { readonly selector?: LabelSelector } }
    if (spec?.selector !== undefined && !selects(spec.selector, labels)) yield `${name}: does not select its own pods`
  }
  for (const policy of ofKind(objects, 'networking.k8s.io/v1/NetworkPolicy')) {
    if (selected(policy, policy.spec?.podSelector, workloads).length === 0) yield `${nameOf(policy)}: selects nothing`
  }
}

function* serviceProblems({ objects, workloads }: DeploymentSet): Generator<string> {
  for (const service of ofKind(objects, 'v1/Service')) {
    const [workload, ...others] = selected(service, { matchLabels: service.spec?.selector ?? {} }, workloads)
    if (workload === undefined || others.length > 0) {
      yield `${nameOf(service)}: is for no one workload`
      continue
    }
    for (const { port, targetPort = port } of service.spec?.ports ?? []) {
      const isThere = workload.container.ports?.some(
        ({ name, containerPort }) => name === targetPort || containerPort === targetPort,
      )
      if (!isThere) yield `${nameOf(service)}: its port ${port} leads to ${targetPort}, which is not there`
    }
  }
}

function* deploymentProblems({ objects, workloads }: DeploymentSet): Generator<string> {
  const budgets = ofKind(objects, 'policy/v1/PodDisruptionBudget').map((budget) => {
    const pods = selected(budget, budget.spec?.selector, workloads)
    return { name: nameOf(budget), spec: budget.spec, pods }
  })
  for (const { name, pods } of budgets) if (pods.length !== 1) yield `${name}: is for no one workload`
  for (const { object, name } of workloads.filter(({ object }) => object.kind === 'Deployment')) {
    const own = budgets.filter(({ pods }) => pods.some((pod) => pod.object === object))
    if (own.length !== 1) yield `${name}: has ${own.length} budgets, not 1`
    // A budget that demands one ready pod would keep a node with a single replica from ever being emptied; so would pods that are not
    // ready, as when a remote service is down, unless they may be evicted.
    const isBlocking = own.some(
      ({ spec }) => spec?.minAvailable !== undefined || spec?.unhealthyPodEvictionPolicy !== 'AlwaysAllow',
    )
    if (isBlocking) yield `${name}: its budget blocks nodes`
  }
}

function* scalerProblems({ objects }: DeploymentSet): Generator<string> {
  for (const scaler of ofKind(objects, 'autoscaling/v2/HorizontalPodAutoscaler')) {
    const { kind, name } = scaler.spec?.scaleTargetRef ?? {}
    const target = ofKind(objects, 'apps/v1/Deployment').find(
      ({ metadata }) =>
        kind === 'Deployment' && metadata.name === name && metadata.namespace === scaler.metadata.namespace,
    )
    if (target === undefined) yield `${nameOf(scaler)}: scales nothing`
    else if (target.spec?.replicas !== undefined)
      yield `${nameOf(target)}: sets the replicas that its autoscaler decides`
  }
}
