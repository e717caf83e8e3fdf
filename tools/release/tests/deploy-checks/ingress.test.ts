import { describe, expect, it } from 'vitest'
import { ofKind } from '../../src/deploy-checks/kube-object.ts'
import { ingressTable, routeTable } from '../../src/deploy-checks/route-table.ts'
import { allProblems } from './changed-overlay.ts'
import { isRendering, overlay, overlayWith } from './rendered.ts'

describe.each([
  ['production', 'ingress-https', [{ secretName: 'taproom-tls' }]],
  ['development', 'ingress', undefined],
] as const)(
  'decisions 3.154: %s with the component %s',
  { tags: 'kustomize', skip: !isRendering },
  (name, component, tls) => {
    it('has the paths of the Gateway and their time limits, where ingress-nginx can have them', async () => {
      const routes = routeTable(await overlay(name)).filter((route) => !route.includes('/q/health'))
      const table = ingressTable(await overlayWith(name, component))
      expect(table.toSorted()).toEqual(routes.map((route) => route.replace(/, 0s$/, ', 3600s')).toSorted())
      expect(table.length).toBeGreaterThan(2)
    })

    it('passes all checks, has nothing of the Gateway API, and TLS in production', async () => {
      const objects = await overlayWith(name, component)
      expect(objects.filter(({ apiVersion }) => apiVersion.startsWith('gateway.'))).toEqual([])
      expect(await allProblems(name, objects)).toEqual([])
      for (const { spec } of ofKind(objects, 'networking.k8s.io/v1/Ingress')) expect(spec?.tls).toEqual(tls)
    })
  },
)
