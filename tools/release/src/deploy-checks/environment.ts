import { type KubeObject, ofKind } from './kube-object.ts'
import type { Workload } from './workloads.ts'

/** A container's environment, and the names in it that do not exist. */
export interface Environment {
  readonly env: Record<string, string>
  readonly problems: string[]
}

/**
 * The variables that a workload's container starts with: from its ConfigMaps and Secrets first, then its own. `secrets` has the values of
 * secrets that are not among the objects, by `name/key`.
 */
export function environmentOf(
  workload: Workload,
  objects: readonly KubeObject[],
  secrets: Readonly<Record<string, string>>,
): Environment {
  const problems: string[] = []
  const env: Record<string, string> = {}
  const inNamespace = <T extends KubeObject>(found: readonly T[], name: string | undefined) =>
    found.find(({ metadata }) => metadata.name === name && metadata.namespace === workload.namespace)

  for (const { configMapRef, secretRef, prefix } of workload.container.envFrom ?? []) {
    const map = inNamespace(ofKind(objects, 'v1/ConfigMap'), configMapRef?.name)
    if (map === undefined || secretRef !== undefined || prefix !== undefined) {
      problems.push(`envFrom names no ConfigMap that is here: ${configMapRef?.name}`)
    }
    Object.assign(env, map?.data)
  }
  for (const { name, value, valueFrom } of workload.container.env ?? []) {
    const reference = valueFrom?.secretKeyRef
    if (reference == null) {
      env[name] = value ?? ''
      continue
    }
    const key = `${reference.name}/${reference.key}`
    const base64 = inNamespace(ofKind(objects, 'v1/Secret'), reference.name)?.data?.[reference.key]
    const secret = base64 === undefined ? secrets[key] : Buffer.from(base64, 'base64').toString()
    if (secret !== undefined) env[name] = secret
    else if (reference.optional !== true) problems.push(`${name} comes from an unknown secret: ${key}`)
  }
  return { env, problems }
}
