import { join } from 'node:path'
import type { System } from '@taproom/system'
import { describe, expect, it } from 'vitest'
import { readDeploymentSet } from '../../src/deploy-checks/deployment-set.ts'
import type { KubeObject } from '../../src/deploy-checks/kube-object.ts'
import { managementProblems } from '../../src/deploy-checks/management-rules.ts'
import { networkProblems } from '../../src/deploy-checks/network-rules.ts'
import { podProblems } from '../../src/deploy-checks/pod-rules.ts'
import { routeProblems } from '../../src/deploy-checks/route-table.ts'
import { schemaProblems } from '../../src/deploy-checks/schema-problems.ts'
import { wiringProblems } from '../../src/deploy-checks/wiring-rules.ts'
import { SECRETS } from './folders.ts'
import { SYSTEMS, written } from './other-systems.ts'
import { isRendering, renderFolder } from './rendered.ts'

async function problemsOf(system: System, objects: readonly KubeObject[]): Promise<readonly string[]> {
  const set = await readDeploymentSet(system, objects, {
    ...SECRETS['production'],
    'template-app-database/url': 'postgres://wines:secret@postgresql.example.net/wines',
    'template-app-sink-database/url': 'postgres://ledger:secret@postgresql.example.net/ledger',
  })
  return [
    ...(await Promise.all(objects.map(schemaProblems))).flat(),
    ...set.problems,
    ...podProblems(set),
    ...wiringProblems(set),
    ...networkProblems(set),
    ...routeProblems(objects),
    ...managementProblems(set),
  ]
}

/** Renders overlays of one of {@link SYSTEMS}. */
export function describeRendered(name: string, overlays: readonly string[]): void {
  describe.each(overlays)(
    `decisions 3.107: the system ${name} rendered for %s`,
    { tags: 'kustomize', skip: !isRendering },
    (overlay) => {
      const system = SYSTEMS[name] as System

      it('passes every check of the manifests of this repository', async () => {
        await using folder = await written(system)
        const objects = await renderFolder(join(folder.root, 'deploy/kubernetes/overlays', overlay))
        expect(await problemsOf(system, objects)).toEqual([])
        const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
        expect(names).toContain(overlay === 'knative' ? 'Trigger greetings' : 'Deployment hello')
      })
    },
  )
}
