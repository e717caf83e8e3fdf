import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type KubeObject, ofKind } from '../../src/deploy-checks/kube-object.ts'
import { workloadsOf } from '../../src/deploy-checks/workloads.ts'
import { DEPLOY, OVERLAYS, SECRETS } from './folders.ts'
import { commands, describeKubectl, firstOfTheirKind, kubectl } from './page-commands.ts'
import { isRendering, overlay, overlayWith } from './rendered.ts'
import { system } from './taproom.ts'

const compose = [...new Set(commands.filter((command) => command.startsWith('docker compose ')))]
const scripts = commands.flatMap((command) => /^pnpm (?:-s )?(?:run )?([a-z]+)/.exec(command)?.[1] ?? [])

it('the other commands of these pages are scripts of this repository, and services of compose.yaml', async () => {
  const { scripts: known } = JSON.parse(await readFile(join(DEPLOY, '../package.json'), 'utf8'))
  expect(scripts.filter((script) => script !== 'install' && !Object.hasOwn(known, script))).toEqual([])
  expect(new Set(scripts)).toContain('images')
  const { services } = parse(await readFile(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true })
  const run = compose.flatMap((command) => / run --rm (\S+)/.exec(command)?.[1] ?? [])
  expect(run.filter((service) => !Object.hasOwn(services, service))).toEqual([])
  expect(run).toContain('keys')
  expect(compose.filter((command) => !command.startsWith('docker compose -f deploy/compose.yaml '))).toEqual([])
})

describeKubectl('the commands of the pages about deployment', firstOfTheirKind)

describe('what the pages about deployment name', { tags: 'kustomize', skip: !isRendering }, () => {
  let objects: KubeObject[]

  beforeAll(async () => {
    objects = (await Promise.all(OVERLAYS.map(overlay))).flat()
  })

  it('is in the overlays: every object of a command', () => {
    const named = kubectl.flatMap((command) => [
      ...command.matchAll(/(deployment|job|broker|trigger|gateway|service\.serving\.knative\.dev)[/ ]([a-z][a-z-]+)/g),
    ])
    const isThere = ([, kind = '', name = '']: RegExpExecArray) =>
      objects.some(
        (object) =>
          object.kind.toLowerCase() === kind.split('.')[0] &&
          object.metadata.name === name &&
          (!kind.includes('.') || object.apiVersion.startsWith(kind.slice(kind.indexOf('.') + 1))),
      )
    expect(named.filter((match) => !isThere(match)).map(([text]) => text)).toEqual([])
    expect(named.length).toBeGreaterThan(8)
  })

  it('is what an installation has to make: the secrets of production, and the key of development', async () => {
    const made = commands.flatMap((command) => {
      const [, secret] = /create secret generic (\S+)/.exec(command) ?? []
      return [...command.matchAll(/--from-(?:file|literal)=([^=]+)=/g)].flatMap(([, key]) =>
        secret === undefined ? [] : [`${secret}/${key}`],
      )
    })
    const references = workloadsOf(await overlay('production')).flatMap(({ container }) =>
      (container.env ?? []).flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []),
    )
    const keys = references.map(({ name, key }) => `${name}/${key}`)
    expect(made.filter((key) => !keys.includes(key))).toEqual([])
    const needed = [...new Set(keys.filter((_, index) => references[index]?.optional !== true))].sort()
    // The pages make the secret of one database; those of other apps have the same form.
    const isMade = (key: string) => made.includes(key) || key.endsWith('-database/url')
    expect(needed.filter((key) => !isMade(key))).toEqual([])
    expect(needed).toEqual(Object.keys(SECRETS['production'] ?? {}).sort())

    const development = await overlay('development')
    const mounted = workloadsOf(development).flatMap(({ pod }) =>
      (pod.volumes ?? []).flatMap(({ configMap }) => configMap?.name ?? []),
    )
    expect([...new Set(mounted)]).toEqual(['development-key'])
    expect(commands.join('\n')).toContain('create configmap development-key --from-file=.taproom/keys/public-key.pem')
  })

  it('is everything of one service by its label, its configuration included', async () => {
    const production = await overlay('production')
    const kinds = (name: string) =>
      production.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/name'] === name).map(({ kind }) => kind)
    expect(kinds('claim-api').sort()).toEqual([
      'ConfigMap',
      'Deployment',
      'HTTPRoute',
      'HorizontalPodAutoscaler',
      'PodDisruptionBudget',
      'Service',
    ])
    expect(kinds('movie-api-migration')).toEqual(['Job'])
    const own = ofKind(production, 'v1/ConfigMap').map(({ metadata }) => metadata.labels?.['app.kubernetes.io/name'])
    expect(own.sort()).toEqual(
      Object.entries(system.apps)
        .flatMap(([name, { cluster }]) => (cluster === undefined ? [] : name))
        .sort(),
    )
  })

  it('is rendered when scaling by open streams is added to production', async () => {
    const scaler = ofKind(
      await overlayWith('production', 'scale-by-streams'),
      'autoscaling/v2/HorizontalPodAutoscaler',
    ).find(({ metadata }) => metadata.name === 'beer-stream')
    expect(scaler?.spec?.metrics).toMatchObject([{ type: 'Pods', pods: { metric: { name: 'beer_stream_clients' } } }])
    expect(scaler?.spec?.maxReplicas).toBe(10)
  })
})
