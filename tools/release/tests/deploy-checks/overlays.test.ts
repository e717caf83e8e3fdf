import { describe, expect, it } from 'vitest'
import { readDeploymentSet } from '../../src/deploy-checks/deployment-set.ts'
import { ofKind } from '../../src/deploy-checks/kube-object.ts'
import { managementProblems } from '../../src/deploy-checks/management-rules.ts'
import { networkProblems } from '../../src/deploy-checks/network-rules.ts'
import { podProblems } from '../../src/deploy-checks/pod-rules.ts'
import { routeProblems } from '../../src/deploy-checks/route-table.ts'
import { schemaProblems } from '../../src/deploy-checks/schema-problems.ts'
import { wiringProblems } from '../../src/deploy-checks/wiring-rules.ts'
import { OVERLAYS, SECRETS } from './folders.ts'
import { isRendering, overlay } from './rendered.ts'
import { system } from './taproom.ts'

describe.each(OVERLAYS)('overlay %s', { tags: 'kustomize', skip: !isRendering }, (name) => {
  const set = async () => readDeploymentSet(system, await overlay(name), SECRETS[name.replace('-v1beta1', '')])

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

  it('decisions 3.52: leads no stranger to health and metrics, but in development to the health of the contract', async () => {
    const route = 'HTTPRoute taproom/health: leads to the management port of Deployment taproom/movie-api'
    expect(managementProblems(await set())).toEqual(name === 'development' ? [route] : [])
  })
})

describe('production', { tags: 'kustomize', skip: !isRendering }, () => {
  const set = async () => readDeploymentSet(system, await overlay('production'), SECRETS['production'])
  const served = Object.entries(system.apps).flatMap(([app, { serves = [], cluster }]) =>
    serves.length > 0 && cluster !== undefined ? `Deployment taproom/${app}` : [],
  )

  it('decisions 3.52: has health and metrics of every app at a port of their own', async () => {
    const { workloads, settings } = await set()
    const deployments = workloads.filter(({ object }) => object.kind === 'Deployment')
    expect(deployments.map(({ name }) => settings.get(name)?.config.http.management?.port)).toEqual(
      deployments.map(() => 9000),
    )
    expect(deployments.length).toBeGreaterThan(4)
  })

  it('decisions 3.53: logs refusals, and limits each client of an app with a route by its own address', async () => {
    const { workloads, settings } = await set()
    for (const { name, object } of workloads) {
      if (object.kind !== 'Deployment') continue
      const http = settings.get(name)?.config.http
      expect(http, name).toMatchObject({ securityLog: true, accessLog: false })
      if (served.includes(name)) {
        expect(http?.rateLimit?.perSecond, name).toBeGreaterThan(0)
        // A pod of the Gateway is believed, and a client in the internet is none.
        expect(
          http && [http.trustedProxies.check('10.1.2.3'), http.trustedProxies.check('198.51.100.7')],
          name,
        ).toEqual([true, false])
      }
    }
    expect(served.length).toBeGreaterThan(2)
    expect(settings.get('Deployment taproom/claim-api')?.env).toHaveProperty('MP_JWT_VERIFY_AUDIENCES', 'taproom')
  })

  it('decisions 3.54: is HTTPS only, and tells browsers so with every answer', async () => {
    const objects = await overlay('production')
    const listeners = objects.flatMap((object) =>
      object.kind === 'Gateway'
        ? (object as unknown as { spec: { listeners: { protocol: string }[] } }).spec.listeners
        : [],
    )
    expect(listeners.map(({ protocol }) => protocol)).toEqual(['HTTPS'])
    const routes = ofKind(objects, 'gateway.networking.k8s.io/v1/HTTPRoute')
    const header = { name: 'Strict-Transport-Security', value: 'max-age=31536000' }
    for (const { metadata, spec } of routes)
      for (const { filters } of spec?.rules ?? [])
        expect(filters?.at(-1), metadata.name).toMatchObject({ responseHeaderModifier: { set: [header] } })
    expect(routes).toHaveLength(served.length)
  })
})

describe('production with a Kafka that wants TLS and SASL', { tags: 'kustomize', skip: !isRendering }, () => {
  const started = async (credentials: Readonly<Record<string, string>>) =>
    readDeploymentSet(system, await overlay('production'), { ...SECRETS['production'], ...credentials })
  const credentials = {
    'kafka-credentials/security-protocol': 'SASL_SSL',
    'kafka-credentials/sasl-mechanism': 'SCRAM-SHA-512',
    'kafka-credentials/sasl-username': 'taproom',
    'kafka-credentials/sasl-password': 'secret',
  }

  const apps = Object.entries(system.apps).flatMap(([app, { needs = [], cluster }]) =>
    cluster !== undefined && needs.some(({ name }) => name === 'kafka') ? app : [],
  )

  it('gives every app that needs Kafka what the secret has, and nothing where it has nothing', async () => {
    const [secured, plain] = await Promise.all([
      started(credentials),
      started({ 'kafka-credentials/security-protocol': 'PLAINTEXT' }),
    ])
    for (const set of [secured, plain])
      expect([...set.problems, ...podProblems(set), ...networkProblems(set)]).toEqual([])
    const given = [...secured.settings].filter(([, { env }]) => env['KAFKA_SASL_PASSWORD'] === 'secret')
    expect(given.map(([name]) => name).sort()).toEqual(apps.map((app) => `Deployment taproom/${app}`).sort())
    expect([...plain.settings.values()].filter(({ env }) => 'KAFKA_SASL_MECHANISM' in env)).toEqual([])
  })

  it('ends the start of every app whose secret is not complete', async () => {
    const { 'kafka-credentials/sasl-password': _password, ...rest } = credentials
    expect((await started(rest)).problems).toHaveLength(apps.length)
  })

  it('decisions 3.53: starts no pod without the secret, so that none speaks plain text by mistake', async () => {
    const { 'kafka-credentials/security-protocol': _protocol, ...rest } = SECRETS['production'] ?? {}
    const { problems } = await readDeploymentSet(system, await overlay('production'), rest)
    expect(problems.toSorted()).toEqual(
      apps
        .toSorted()
        .map(
          (app) =>
            `Deployment taproom/${app}: KAFKA_SECURITY_PROTOCOL comes from an unknown secret: kafka-credentials/security-protocol`,
        ),
    )
    expect(apps).toEqual(expect.arrayContaining(['beer-generator', 'beer-stream', 'price-generator']))
  })
})
