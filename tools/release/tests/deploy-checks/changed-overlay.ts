import { expect } from 'vitest'
import { readDeploymentSet } from '../../src/deploy-checks/deployment-set.ts'
import type { KubeObject } from '../../src/deploy-checks/kube-object.ts'
import { managementProblems } from '../../src/deploy-checks/management-rules.ts'
import { networkProblems } from '../../src/deploy-checks/network-rules.ts'
import { podProblems } from '../../src/deploy-checks/pod-rules.ts'
import { routeProblems } from '../../src/deploy-checks/route-table.ts'
import { schemaProblems } from '../../src/deploy-checks/schema-problems.ts'
import { wiringProblems } from '../../src/deploy-checks/wiring-rules.ts'
import { SECRETS } from './folders.ts'
import { overlay } from './rendered.ts'
import { system } from './taproom.ts'

/** Changes one field of one object, by a path such as `spec.template.spec.containers.0.image`; undefined removes it. */
export interface Change {
  readonly of: string
  readonly at: string
  readonly to: unknown
}

export const CONTAINER = 'spec.template.spec.containers.0'

/** The problems that all checks find in an overlay after one change. */
export async function problemsAfter(name: string, { of, at, to }: Change): Promise<string[]> {
  const objects = await overlay(name)
  const [kind, object] = of.split(' ')
  const found = objects.filter(({ kind: k, metadata }) => k === kind && metadata.name.startsWith(object ?? ''))
  expect(found, of).toHaveLength(1)
  set(
    found[0],
    at.split('.').map((key) => key.replaceAll('~', '.')),
    to,
  )
  return allProblems(name, objects)
}

/** The problems that all checks find in an overlay. */
export async function allProblems(name: string, objects: readonly KubeObject[]): Promise<string[]> {
  const schema = (await Promise.all(objects.map(schemaProblems))).flat()
  if (schema.length > 0) return schema
  const deployed = await readDeploymentSet(system, objects, SECRETS[name])
  return [
    ...deployed.problems,
    ...podProblems(deployed),
    ...wiringProblems(deployed),
    ...networkProblems(deployed),
    ...routeProblems(objects),
    ...(name === 'development' ? [] : managementProblems(deployed)),
  ]
}

function set(target: unknown, [key = '', ...rest]: readonly string[], value: unknown): void {
  const object = target as Record<string, unknown>
  if (rest.length > 0) {
    expect(object, key).toHaveProperty([key])
    set(object[key], rest, value)
  } else if (value === undefined) {
    expect(object, key).toHaveProperty([key])
    delete object[key]
  } else object[key] = value
}
