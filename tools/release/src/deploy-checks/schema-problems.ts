import { isServedByV1beta1 } from './eventing-v1beta1.ts'
import { type KubeObject, nameOf, ofKind } from './kube-object.ts'
import { type FieldRecorder, recordFields } from './recorded-fields.ts'

/** Packages with the kinds of a group that is none of Kubernetes itself. */
const MODELS: readonly (readonly [group: RegExp, models: string])[] = [
  [/^gateway\.networking\.k8s\.io$/, '@kubernetes-models/gateway-api'],
  [/\.knative\.dev$/, '@kubernetes-models/knative'],
  [/^gateway\.envoyproxy\.io$/, '@kubernetes-models/envoy-gateway'],
  [/^argoproj\.io$/, '@kubernetes-models/argo-cd'],
  [/\.toolkit\.fluxcd\.io$/, '@kubernetes-models/flux-cd'],
]

/**
 * Violations of the schema of an object's kind, unknown fields included, as `kubectl --validate=strict` finds them. The schemas are those
 * of Kubernetes, Knative, the Gateway API, Argo CD and Flux, in the kubernetes-models packages.
 */
export async function schemaProblems(object: KubeObject): Promise<string[]> {
  const isV1beta1 = object.apiVersion === 'eventing.knative.dev/v1beta1'
  // No package has the eventing kinds of v1beta1 (Knative up to 0.22): they are those of v1 with fewer fields.
  const checked = withPlainBase64(isV1beta1 ? { ...object, apiVersion: 'eventing.knative.dev/v1' } : object)
  const validate = await validatorOf(checked)
  if (validate === undefined) return [`${nameOf(object)}: no schema is known for ${object.apiVersion}`]

  const recorder = recordFields(checked)
  try {
    validate(recorder.recorded)
  } catch (error) {
    return [`${nameOf(object)}: ${error instanceof Error ? error.message : String(error)}`]
  }
  const unknown = unknownFields(checked, recorder)
  const unserved = isV1beta1 ? fieldsOf(checked).filter((field) => !isServedByV1beta1(object.kind, field)) : []
  return [
    ...unknown.map((field) => `${nameOf(object)}: unknown field ${field}`),
    ...unserved.map((field) => `${nameOf(object)}: ${field} is not served by v1beta1`),
  ]
}

type Validate = (object: unknown) => void

async function validatorOf({ apiVersion, kind }: KubeObject): Promise<Validate | undefined> {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  const [, models = 'kubernetes-models'] = MODELS.find(([pattern]) => pattern.test(group)) ?? []
  try {
    const module = (await import(/* @vite-ignore */ `${models}/${apiVersion}/${kind}`)) as Record<string, unknown>
    const model = module[kind] as { prototype: { validate(): void } }
    return (object) => model.prototype.validate.call(object)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** kustomize breaks long base64 into lines, which Kubernetes reads and the schema's format does not. */
function withPlainBase64(object: KubeObject): KubeObject {
  const [secret] = ofKind([object], 'v1/Secret')
  if (secret?.data == null) return object
  const data = Object.entries(secret.data).map(([key, value]) => [key, value.replaceAll('\n', '')])
  return { ...secret, data: Object.fromEntries(data) } as KubeObject
}

function unknownFields(value: unknown, recorder: FieldRecorder, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const known = recorder.fieldsAskedOf(value)
  return Object.entries(value).flatMap(([key, child]) =>
    Array.isArray(value) || known.has(key)
      ? unknownFields(child, recorder, join(path, key))
      : // Anything may be in an object of which the schema reads no field.
        known.size === 0
        ? []
        : [join(path, key)],
  )
}

function fieldsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [path]
  return Object.entries(value).flatMap(([key, child]) => fieldsOf(child, join(path, key)))
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
