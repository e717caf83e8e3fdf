import { describe, expect, it } from 'vitest'
import { ofKind } from '../../src/deploy-checks/kube-object.ts'
import { isRendering, overlayWith } from './rendered.ts'

describe('production with an authority of your own', { tags: 'kustomize', skip: !isRendering }, () => {
  it('every app trusts it, and keeps what other components gave it', async () => {
    const apps = ofKind(await overlayWith('production', 'own-authority'), 'apps/v1/Deployment')
    expect(apps.length).toBeGreaterThan(4)
    for (const { metadata, spec } of apps) {
      const { containers = [], volumes = [] } = spec?.template?.spec ?? {}
      const [{ env = [], volumeMounts = [] } = {}] = containers
      const file = env.find(({ name }) => name === 'NODE_EXTRA_CA_CERTS')?.value ?? ''
      const mount = volumeMounts.find(({ mountPath }) => file.startsWith(`${mountPath}/`))
      const volume = volumes.find(({ name }) => name === mount?.name)
      expect(volume?.configMap, metadata.name).toEqual({ name: 'own-authority' })
      const usesKafka = env.some(({ name }) => name === 'KAFKA_SECURITY_PROTOCOL')
      expect(volumes.map(({ name }) => name).includes('kafka'), metadata.name).toBe(usesKafka)
    }
  })
})
