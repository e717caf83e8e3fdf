import { containerEnvironment } from '@taproom/system'
import { type KubeObject, ofKind } from './kube-object.ts'
import type { Workload } from './workloads.ts'

/** A container's environment, and the names in it that do not exist. */
export interface Environment {
  readonly env: Record<string, string>
  readonly problems: string[]
}

/** The variables that a workload's container starts with. `secrets` has the values of secrets that are not among the objects, by `name/key`. */
export function environmentOf(
  workload: Workload,
  objects: readonly KubeObject[],
  secrets: Readonly<Record<string, string>>,
): Environment {
  const {
    env: known,
    given,
    isOpen,
    problems: unknown,
  } = containerEnvironment(workload.container, (kind, name) => {
    const found = ofKind(objects, kind === 'Secret' ? 'v1/Secret' : 'v1/ConfigMap').find(
      ({ metadata }) => metadata.name === name && metadata.namespace === workload.namespace,
    )
    if (found === undefined || kind === 'ConfigMap') return found?.data
    const texts = Object.entries(found.data ?? {}).map(([key, base64]) => [
      key,
      Buffer.from(base64, 'base64').toString(),
    ])
    return Object.fromEntries(texts)
  })
  const env: Record<string, string> = { ...known }
  const problems = [...unknown, ...(isOpen ? ['a Secret of envFrom does not exist'] : [])]
  for (const [name, { key = '', optional }] of given) {
    const secret = secrets[key]
    if (secret !== undefined) env[name] = secret
    else if (!optional) problems.push(`${name} comes from an unknown secret: ${key}`)
  }
  return { env, problems }
}
