import type { ClusterApp } from './cluster-apps.ts'
import { writtenKustomization, yaml } from './written.ts'

/** Where the authority is in a pod. */
const FOLDER = '/own-authority'

/**
 * The component `own-authority`: apps trust an authority of yours beside the public ones. Its patches merge lists by name, so that they add to
 * what other components have put there.
 */
export function ownAuthority(apps: readonly (readonly [name: string, ClusterApp])[]): readonly [string, string] {
  const patches = apps.map(([name]) => ({ patch: `${yaml(trusting(name))}\n` }))
  return ['components/own-authority/kustomization.yaml', writtenKustomization({ patches }, 'Component')]
}

function trusting(name: string): object {
  const volume = { name: 'own-authority' }
  const container = {
    name,
    env: [{ name: 'NODE_EXTRA_CA_CERTS', value: `${FOLDER}/ca.crt` }],
    volumeMounts: [{ ...volume, mountPath: FOLDER, readOnly: true }],
  }
  const pod = { containers: [container], volumes: [{ ...volume, configMap: volume }] }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec: { template: { spec: pod } } }
}
