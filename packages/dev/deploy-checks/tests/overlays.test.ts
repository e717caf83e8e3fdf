import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readDeploymentSet } from '../src/deployment-set.ts'
import { networkProblems } from '../src/network-rules.ts'
import { podProblems } from '../src/pod-rules.ts'
import { routeProblems } from '../src/route-table.ts'
import { schemaProblems } from '../src/schema-problems.ts'
import { wiringProblems } from '../src/wiring-rules.ts'
import { DEPLOY, OVERLAYS, SECRETS } from './folders.ts'
import { isRendering, overlay, renderFolder } from './rendered.ts'
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

describe.runIf(isRendering)('production with a Kafka that wants TLS and SASL', () => {
  const rendered = async (secrets: Readonly<Record<string, string>>) => {
    const folder = await mkdtemp(join(tmpdir(), 'deploy-kafka-'))
    const inKubernetes = (path: string) => relative(folder, join(DEPLOY, 'kubernetes', path))
    try {
      const kustomization = {
        resources: [inKubernetes('overlays/production')],
        components: [inKubernetes('components/kafka-credentials')],
      }
      await writeFile(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization))
      return await readDeploymentSet(system, await renderFolder(folder), { ...SECRETS['production'], ...secrets })
    } finally {
      await rm(folder, { recursive: true })
    }
  }
  const credentials = {
    'kafka-credentials/security-protocol': 'SASL_SSL',
    'kafka-credentials/sasl-mechanism': 'SCRAM-SHA-512',
    'kafka-credentials/sasl-username': 'taproom',
    'kafka-credentials/sasl-password': 'secret',
  }

  it('gives every app that needs Kafka what the secret has, and nothing where it has nothing', async () => {
    const [secured, plain] = await Promise.all([rendered(credentials), rendered({})])
    for (const set of [secured, plain])
      expect([...set.problems, ...podProblems(set), ...networkProblems(set)]).toEqual([])
    const apps = Object.entries(system.apps).flatMap(([app, { needs = [], cluster }]) =>
      cluster !== undefined && needs.some(({ name }) => name === 'kafka') ? app : [],
    )
    const given = [...secured.settings].filter(([, { env }]) => env['KAFKA_SASL_PASSWORD'] === 'secret')
    expect(given.map(([name]) => name).sort()).toEqual(apps.map((app) => `Deployment taproom/${app}`).sort())
    expect([...plain.settings.values()].filter(({ env }) => 'KAFKA_SECURITY_PROTOCOL' in env)).toEqual([])
  })

  it('ends the start of every app whose secret is not complete', async () => {
    const { 'kafka-credentials/sasl-password': _password, ...rest } = credentials
    expect((await rendered(rest)).problems).toHaveLength(3)
  })
})
