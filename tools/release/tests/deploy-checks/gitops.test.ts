import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { IApplication } from '@kubernetes-models/argo-cd/argoproj.io/v1alpha1/Application'
import type { IKustomization } from '@kubernetes-models/flux-cd/kustomize.toolkit.fluxcd.io/v1/Kustomization'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { type KubeObject, nameOf, ofKind, parseObjects } from '../../src/deploy-checks/kube-object.ts'
import { schemaProblems } from '../../src/deploy-checks/schema-problems.ts'
import { copied, inOverlays } from './copied-deploy.ts'
import { DEPLOY, OVERLAYS } from './folders.ts'
import { isRendering, overlay, overlayText, renderFolder, renderText } from './rendered.ts'

const WITHOUT_NAMESPACE = ['Namespace', 'GatewayClass']

/** The names of what Flux makes of a path and patches. */
async function patched(spec: IKustomization['spec']): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'deploy-flux-'))
  try {
    const base = relative(folder, join(DEPLOY, '..', spec?.path ?? ''))
    await writeFile(join(folder, 'kustomization.yaml'), stringify({ resources: [base], patches: spec?.patches }))
    return (await renderFolder(folder)).map(nameOf)
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe.each(OVERLAYS)('overlay %s, for Argo CD and Flux', { tags: 'kustomize', skip: !isRendering }, (name) => {
  it('names the namespace of every object, so that nobody else decides on it', async () => {
    const without = (await overlay(name)).filter(({ metadata }) => metadata.namespace === undefined)
    expect(without.filter(({ kind }) => !WITHOUT_NAMESPACE.includes(kind)).map(nameOf)).toEqual([])
  })

  it('has no name that the API server would make', async () => {
    const objects = await overlay(name)
    expect(objects.filter(({ metadata }) => 'generateName' in metadata).map(nameOf)).toEqual([])
    expect(new Set(objects.map((object) => `${object.apiVersion} ${nameOf(object)}`)).size).toBe(objects.length)
  })

  it('keeps its namespaces, where secrets are that it does not have', async () => {
    for (const object of (await overlay(name)).filter(({ kind }) => kind === 'Namespace'))
      expect(object.metadata.annotations, nameOf(object)).toMatchObject({
        'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
        'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      })
  })

  it('keeps ConfigMaps that pods of before still have', async () => {
    for (const object of ofKind(await overlay(name), 'v1/ConfigMap'))
      expect(object.metadata.annotations, nameOf(object)).toMatchObject({
        'argocd.argoproj.io/sync-options': 'Prune=false',
        'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
        'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      })
  })

  it('has Jobs that are made again for another image, and not without cause', async () => {
    for (const job of ofKind(await overlay(name), 'batch/v1/Job')) {
      expect(job.metadata.annotations, nameOf(job)).toMatchObject({
        // In development its database comes with it: neither can wait for the other.
        'argocd.argoproj.io/hook': name === 'production' ? 'PreSync' : 'Sync',
        'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
        'kustomize.toolkit.fluxcd.io/force': 'enabled',
      })
      expect(job.spec).not.toHaveProperty('ttlSecondsAfterFinished')
    }
  })

  it('leaves replicas to the autoscaler where there is one', async () => {
    const objects = await overlay(name)
    const scaled = ofKind(objects, 'autoscaling/v2/HorizontalPodAutoscaler').map(
      ({ spec }) => spec?.scaleTargetRef.name,
    )
    const both = ofKind(objects, 'apps/v1/Deployment').filter(
      ({ metadata, spec }) => scaled.includes(metadata.name) && spec?.replicas !== undefined,
    )
    expect(both.map(nameOf)).toEqual([])
  })
})

describe('the generated names of an overlay', { tags: 'kustomize', skip: !isRendering }, () => {
  it('change with the content of the one ConfigMap, and with nothing else', async () => {
    await using folder = await copied()
    const production = inOverlays(folder.root, 'production')
    const before = await overlayText('production')
    const file = join(production, 'kustomization.yaml')
    const text = await readFile(file, 'utf8')
    const render = async (from: RegExp, to: string) => {
      expect(text).toMatch(from)
      await writeFile(file, text.replace(from, to))
      return renderText(production)
    }

    const retagged = await render(/newTag: 0\.1\.0/g, 'newTag: 0.2.0')
    expect(retagged.replaceAll(':0.2.0', ':0.1.0')).toBe(before)

    const [, hash] = /claim-api-([0-9a-z]{10})\b/.exec(before) ?? []
    const changed = await render(/(?<=name: claim-api\n[\s\S]*?)HTTP_RATE_LIMIT=50/, 'HTTP_RATE_LIMIT=60')
    const [, other] = /claim-api-([0-9a-z]{10})\b/.exec(changed) ?? []
    expect(other).not.toBe(hash)
    const back = changed.replaceAll(`claim-api-${other}`, `claim-api-${hash}`)
    expect(back.replace('HTTP_RATE_LIMIT: "60"', 'HTTP_RATE_LIMIT: "50"')).toBe(before)
  })
})

const page = await readFile(join(DEPLOY, 'cluster.md'), 'utf8')
const [, section = ''] = /^## With Argo CD or Flux\n(.*?)^## /ms.exec(page) ?? []
const examples = [...section.matchAll(/^```yaml\n(.*?)^```$/gms)].flatMap(([, block = '']) => parseObjects(block))
const ofKinds = <T>(kind: string) => examples.filter((object): object is KubeObject & T => object.kind === kind)
const applications = ofKinds<IApplication>('Application')
const kustomizations = ofKinds<IKustomization>('Kustomization')

describe('the manifests of cluster.md for Argo CD and Flux', () => {
  it('are one Application, and a GitRepository with its Kustomizations', () => {
    const kinds = examples.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)
    expect(kinds).toEqual([
      'argoproj.io/v1alpha1 Application',
      'source.toolkit.fluxcd.io/v1 GitRepository',
      'kustomize.toolkit.fluxcd.io/v1 Kustomization',
      'kustomize.toolkit.fluxcd.io/v1 Kustomization',
    ])
  })

  it('are valid by the schemas of both, without unknown fields', async () => {
    expect((await Promise.all(examples.map(schemaProblems))).flat()).toEqual([])
    const [application] = structuredClone(applications)
    Object.assign(application?.spec.syncPolicy ?? {}, { selfHeel: true })
    expect(await schemaProblems(application as KubeObject)).toEqual([
      expect.stringMatching(/unknown field \S+selfHeel$/),
    ])
  })

  it('name overlays that are there', async () => {
    const paths = [
      ...applications.map(({ spec }) => spec.source?.path),
      ...kustomizations.map(({ spec }) => spec?.path),
      ...Array.from(section.matchAll(/`(deploy\/kubernetes\/overlays\/[a-z0-9-]+)`/g), ([, path]) => path),
    ]
    expect(paths).toHaveLength(4)
    for (const path of paths) await readFile(join(DEPLOY, '..', path ?? '', 'kustomization.yaml'))
  })

  it('name each other', () => {
    const repositories = ofKinds('GitRepository').map(({ metadata }) => metadata.name)
    const names = kustomizations.map(({ metadata }) => metadata.name)
    for (const { spec } of kustomizations) {
      expect(repositories).toContain(spec?.sourceRef.name)
      for (const { name } of spec?.dependsOn ?? []) expect(names).toContain(name)
    }
    expect(kustomizations.flatMap(({ spec }) => spec?.dependsOn ?? [])).toHaveLength(1)
  })

  it('are, with the patches of Flux, the migration first and then all the rest', {
    tags: 'kustomize',
    skip: !isRendering,
  }, async () => {
    const [migration, rest] = await Promise.all(kustomizations.map(({ spec }) => patched(spec)))
    expect(migration).toEqual(['Job taproom/movie-api-migration'])
    const all = (await overlay('production')).map(nameOf)
    expect(rest).toEqual(all.filter((name) => !name.startsWith('Job ')))
  })
})
