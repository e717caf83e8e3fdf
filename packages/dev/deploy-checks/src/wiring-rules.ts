import type { DeploymentSet } from './deployment-set.ts'
import { type KubeObject, nameOf, ofKind } from './kube-object.ts'
import { type LabelSelector, selects } from './selectors.ts'
import type { Workload } from './workloads.ts'

/** Whether references by labels, name or port find their object, and every Deployment has its budget. */
export function wiringProblems({ objects, workloads }: DeploymentSet): string[] {
  return [
    ...workloads.flatMap((workload) => [...ownSelector(workload)]),
    ...ofKind(objects, 'v1/Service').flatMap((service) => [...servicePorts(service, workloads)]),
    ...ofKind(objects, 'policy/v1/PodDisruptionBudget').flatMap((budget) =>
      selected(budget, budget.spec?.selector, workloads).length === 1
        ? []
        : [`${nameOf(budget)}: is for no one workload`],
    ),
    ...ofKind(objects, 'apps/v1/Deployment').flatMap((deployment) => [...budgetOf(deployment, objects)]),
    ...ofKind(objects, 'networking.k8s.io/v1/NetworkPolicy').flatMap((policy) =>
      selected(policy, policy.spec?.podSelector, workloads).length > 0 ? [] : [`${nameOf(policy)}: selects nothing`],
    ),
    ...ofKind(objects, 'autoscaling/v2/HorizontalPodAutoscaler').flatMap((scaler) => [...scaled(scaler, objects)]),
  ]
}

function selected(object: KubeObject, selector: LabelSelector | null | undefined, workloads: readonly Workload[]) {
  return workloads.filter(
    ({ namespace, labels }) => namespace === object.metadata.namespace && selector != null && selects(selector, labels),
  )
}

function* ownSelector({ object, labels, name }: Workload): Generator<string> {
  const { spec } = object as KubeObject & { readonly spec?: { readonly selector?: LabelSelector } }
  if (spec?.selector !== undefined && !selects(spec.selector, labels)) yield `${name}: does not select its own pods`
}

function* servicePorts(
  service: ReturnType<typeof ofKind<'v1/Service'>>[number],
  workloads: readonly Workload[],
): Generator<string> {
  const selector = { matchLabels: service.spec?.selector ?? {} }
  const [workload, ...others] = selected(service, selector, workloads)
  if (workload === undefined || others.length > 0) return yield `${nameOf(service)}: is for no one workload`
  for (const { port, targetPort = port } of service.spec?.ports ?? []) {
    const isThere = workload.container.ports?.some(
      ({ name, containerPort }) => name === targetPort || containerPort === targetPort,
    )
    if (!isThere) yield `${nameOf(service)}: its port ${port} leads to ${targetPort}, which is not there`
  }
}

function* budgetOf(
  deployment: ReturnType<typeof ofKind<'apps/v1/Deployment'>>[number],
  objects: readonly KubeObject[],
): Generator<string> {
  const labels = deployment.spec?.template.metadata?.labels ?? {}
  const budgets = ofKind(objects, 'policy/v1/PodDisruptionBudget').filter(
    ({ metadata, spec }) =>
      metadata.namespace === deployment.metadata.namespace && spec?.selector != null && selects(spec.selector, labels),
  )
  if (budgets.length !== 1) yield `${nameOf(deployment)}: has ${budgets.length} budgets, not 1`
  // A budget that demands one ready pod would keep a node with a single replica from ever being emptied; so would pods that are not
  // ready, as when a remote service is down, unless they may be evicted.
  const isBlocking = ({ spec }: (typeof budgets)[number]) =>
    spec?.minAvailable !== undefined || spec?.unhealthyPodEvictionPolicy !== 'AlwaysAllow'
  if (budgets.some(isBlocking)) yield `${nameOf(deployment)}: its budget blocks nodes`
}

function* scaled(
  scaler: ReturnType<typeof ofKind<'autoscaling/v2/HorizontalPodAutoscaler'>>[number],
  objects: readonly KubeObject[],
): Generator<string> {
  const { kind, name } = scaler.spec?.scaleTargetRef ?? {}
  const target = ofKind(objects, 'apps/v1/Deployment').find(
    ({ metadata }) =>
      kind === 'Deployment' && metadata.name === name && metadata.namespace === scaler.metadata.namespace,
  )
  if (target === undefined) yield `${nameOf(scaler)}: scales nothing`
  else if (target.spec?.replicas !== undefined) yield `${nameOf(target)}: sets the replicas that its autoscaler decides`
}
