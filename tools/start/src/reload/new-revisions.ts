import { parseJson } from '@taproom/core/limits'

interface Container {
  readonly image: string
  readonly args?: readonly string[]
}

/** Knative Services as the resource API lists them, as far as is needed here. */
interface ServiceList {
  readonly items?: readonly {
    readonly metadata: { readonly namespace: string; readonly name: string }
    readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } }
  }[]
}

const SERVICES = '/apis/serving.knative.dev/v1'
/** The annotation of `kubectl rollout restart`. A changed template is a new revision. */
const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt'
const TIMEOUT_MS = 5000

/**
 * Makes a new revision of every Knative Service that runs an app: requests under way are finished by the old one, further ones start the new.
 *
 * @throws {Error} when the resource API does not do it
 */
export async function makeNewRevisions(resourceApi: string, app: string): Promise<void> {
  const { items = [] } = (await call(`${resourceApi}${SERVICES}/services`)) as ServiceList
  const services = items.filter(({ spec }) =>
    spec.template.spec.containers.some((container) => appOf(container) === app),
  )
  const annotations = { [RESTARTED_AT]: new Date().toISOString() }
  const patch = JSON.stringify({ spec: { template: { metadata: { annotations } } } })
  for (const { metadata } of services) {
    await call(`${resourceApi}${SERVICES}/namespaces/${metadata.namespace}/services/${metadata.name}`, patch)
  }
}

/** As the event platform finds it: the first argument, else the last component of the image. */
function appOf({ image, args = [] }: Container): string | undefined {
  return args[0] ?? /([^/@:]+)(?::[^/@]*)?(?:@.*)?$/.exec(image)?.[1]
}

async function call(url: string, patch?: string): Promise<unknown> {
  const response = await fetch(url, {
    ...(patch !== undefined && {
      method: 'PATCH',
      body: patch,
      headers: { 'Content-Type': 'application/merge-patch+json' },
    }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`the resource API answered ${response.status}: ${text.slice(0, 500)}`)
  return parseJson(text)
}
