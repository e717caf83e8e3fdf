import { describe, expect, it } from 'vitest'
import { readDeploymentSet } from '../src/deployment-set.ts'
import { networkProblems } from '../src/network-rules.ts'
import { podProblems } from '../src/pod-rules.ts'
import { routeProblems } from '../src/route-table.ts'
import { schemaProblems } from '../src/schema-problems.ts'
import { wiringProblems } from '../src/wiring-rules.ts'
import { OVERLAYS, SECRETS } from './folders.ts'
import { isRendering, overlay } from './rendered.ts'
import { system } from './taproom.ts'

describe.runIf(isRendering).each(OVERLAYS)('overlay %s', (name) => {
  const set = async () => readDeploymentSet(system, await overlay(name), SECRETS[name])

  it('is valid by the schemas of Kubernetes, Knative and the Gateway API, without unknown fields', async () => {
    const problems = await Promise.all((await overlay(name)).map(schemaProblems))
    expect(problems.flat()).toEqual([])
    expect(problems.length).toBeGreaterThan(8)
  })

  it('starts every app with variables that it reads and accepts', async () => {
    expect((await set()).problems).toEqual([])
  })

  it('runs pods that are unprivileged, limited, of one version, and probed and ended as their apps expect', async () => {
    expect(podProblems(await set())).toEqual([])
  })

  it('selects, exposes and scales what is there, with a disruption budget for every Deployment', async () => {
    expect(wiringProblems(await set())).toEqual([])
  })

  it('lets pods reach what their variables name, be reached by what needs them, and nothing else', async () => {
    expect(networkProblems(await set())).toEqual([])
  })

  it('routes to what is there', async () => {
    expect(routeProblems(await overlay(name))).toEqual([])
  })
})
