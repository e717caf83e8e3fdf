import { MANAGEMENT_PATHS } from '@taproom/http'
import type { KernelConfig } from '@taproom/service'
import { parseImageName } from '@taproom/system'
import type { DeploymentSet } from './deployment-set.ts'
import { parseQuantity } from './quantity.ts'
import { portOf, type Workload } from './workloads.ts'

/** Rules for every pod: unprivileged, limited, of one version, with the probes and the grace period that its app expects. */
export function podProblems({ workloads, settings }: DeploymentSet): string[] {
  return workloads.flatMap((workload) => {
    const app = settings.get(workload.name)
    const problems = [
      ...security(workload, app !== undefined),
      ...resources(workload),
      ...image(workload),
      ...defaults(workload),
    ]
    if (app !== undefined && workload.object.kind !== 'Job') {
      const { http, health, graceMs } = app.config
      const asked = http.management?.port ?? http.port
      problems.push(...ports(workload, http), ...probes(workload, { rootPath: health.rootPath, port: asked }))
      if (workload.object.kind === 'Deployment')
        problems.push(...scraping(workload, asked), ...grace(workload, graceMs))
    }
    return problems.map((problem) => `${workload.name}: ${problem}`)
  })
}

/** A service of Knative has no pod-level security context of its own and no choice of its token: Knative sees to that. */
function* security({ object, pod, container }: Workload, isOurs: boolean): Generator<string> {
  const own = container.securityContext
  const all = { ...pod.securityContext, ...own }
  if (all.runAsNonRoot !== true) yield 'may run as root'
  if (typeof all.runAsUser !== 'number' || all.runAsUser < 1) yield 'has no user of its own'
  if (all.seccompProfile?.type !== 'RuntimeDefault') yield 'has no seccomp profile'
  if (own?.allowPrivilegeEscalation !== false) yield 'may gain privileges'
  if (own?.capabilities?.drop?.includes('ALL') !== true || own.capabilities.add != null) yield 'keeps capabilities'
  if (isOurs && own?.readOnlyRootFilesystem !== true) yield 'may write to its image'
  if (own?.privileged || pod.hostNetwork || pod.hostPID || pod.hostIPC) yield 'is privileged'
  if (pod.volumes?.some(({ hostPath }) => hostPath != null)) yield 'mounts a folder of the node'
  if (pod.securityContext?.fsGroup !== undefined && pod.securityContext.fsGroupChangePolicy !== 'OnRootMismatch') {
    yield 'gets the permissions of its files changed with every start'
  }
  if (object.kind === 'Service') return
  if (pod.automountServiceAccountToken !== false) yield "is given the service account's token"
  if (pod.enableServiceLinks !== false) yield 'is given a variable for every Service of its namespace'
}

function* resources({ container: { resources: given } }: Workload): Generator<string> {
  for (const resource of ['cpu', 'memory'] as const) {
    const [request, limit] = [given?.requests?.[resource], given?.limits?.[resource]]
    if (request === undefined) yield `requests no ${resource}`
    else if (limit === undefined) yield `has no limit of ${resource}`
    else if (parseQuantity(request) > parseQuantity(limit)) yield `requests more ${resource} than its limit`
  }
}

function* image({ container }: Workload): Generator<string> {
  const { version } = parseImageName(container.image ?? '')
  if (version === undefined || version === 'latest') yield `takes any version of its image: ${container.image}`
}

/** Knative takes one port, and gives it a name. */
function* ports({ object, container }: Workload, { port, management }: KernelConfig['http']): Generator<string> {
  const named = object.kind === 'Deployment'
  const expected = [
    named ? `http ${port}` : `${port}`,
    ...(management === undefined ? [] : [`management ${management.port}`]),
  ]
  const found = container.ports?.map(({ name, containerPort }) =>
    named ? `${name} ${containerPort}` : `${containerPort}`,
  )
  if (found?.join() !== expected.join()) yield `its app listens on ${expected.join()}, not on ${found?.join()}`
}

/** Where Prometheus finds the metrics, by annotations. */
function* scraping({ annotations }: Workload, port: number): Generator<string> {
  const expected = { scrape: 'true', path: MANAGEMENT_PATHS.metrics, port: String(port) }
  for (const [name, value] of Object.entries(expected)) {
    const found = annotations[`prometheus.io/${name}`]
    if (found !== value) yield `prometheus.io/${name} is ${found}, not ${value}`
  }
}

function* probes(
  { object, container }: Workload,
  { rootPath, port }: { readonly rootPath: string; readonly port: number },
): Generator<string> {
  const expected = {
    livenessProbe: `${rootPath}/live`,
    readinessProbe: `${rootPath}/ready`,
    // Knative starts pods by their readiness.
    ...(object.kind === 'Deployment' && { startupProbe: `${rootPath}/started` }),
  }
  for (const [name, path] of Object.entries(expected)) {
    const get = container[name as keyof typeof expected]?.httpGet
    if (get == null) yield `has no ${name}`
    else if (get.path !== path) yield `its ${name} asks ${get.path}, not ${path}`
    else {
      const asked = portOf(container, get.port)
      if (asked === undefined) yield `its ${name} asks port ${get.port}, which is not there`
      else if (asked !== port) yield `its ${name} asks port ${asked}, but health is at ${port}`
    }
  }
}

/** Knative gives a revision that has a name no defaults: what is applied a second time without them would change it, and is refused. */
function* defaults({ object, container }: Workload): Generator<string> {
  if (object.kind === 'Service' && container.readinessProbe?.successThreshold !== 1)
    yield 'cannot be applied again: its readinessProbe names no successThreshold of 1'
}

/** Two seconds for the process to end after its own grace. */
function* grace({ pod, container }: Workload, graceMs: number): Generator<string> {
  const pauseSeconds = container.lifecycle?.preStop?.sleep?.seconds
  if (pauseSeconds === undefined) return yield 'ends at once: requests still on their way to it are lost'
  const needed = pauseSeconds + graceMs / 1000 + 2
  const given = pod.terminationGracePeriodSeconds ?? 30
  if (given < needed) yield `is killed after ${given} s, but may need ${needed} s to end`
}
