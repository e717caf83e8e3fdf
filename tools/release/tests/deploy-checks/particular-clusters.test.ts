import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type KubeObject, ofKind } from '../../src/deploy-checks/kube-object.ts'
import { DEPLOY } from './folders.ts'
import { isRendering, renderFolder } from './rendered.ts'

const page = await readFile(join(DEPLOY, 'particular-clusters.md'), 'utf8')
const [start = '', ...sections] = page.split(/^## /m)
const blocksOf = (text: string) => Array.from(text.matchAll(/^```yaml\n(.*?)^```$/gms), ([, block = '']) => block)
const blockOf = (text: string) => blocksOf(text)[0] ?? ''

/** The objects of an overlay as the page has it: its beginning, and the block of one section. */
async function withSection(name: string): Promise<readonly KubeObject[]> {
  const block = blockOf(sections.find((section) => section.startsWith(`${name}\n`)) ?? '')
  expect(block).not.toBe('')
  return await renderedText(blockOf(start) + block)
}

async function renderedText(text: string): Promise<readonly KubeObject[]> {
  const folder = await mkdtemp(join(tmpdir(), 'particular-cluster-'))
  const overlays = relative(folder, join(DEPLOY, 'kubernetes/overlays'))
  try {
    await writeFile(
      join(folder, 'kustomization.yaml'),
      text.replace(/- \.\.\/(?=production|knative)/, `- ${overlays}/`),
    )
    return await renderFolder(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const deploymentsOf = (objects: readonly KubeObject[]) => {
  const deployments = ofKind([...objects], 'apps/v1/Deployment')
  expect(deployments.length).toBeGreaterThan(4)
  return deployments.map(({ spec }) => spec?.template?.spec)
}

const egressOf = (objects: readonly KubeObject[], name: string) =>
  JSON.stringify(objects.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name))

describe('deploy/particular-clusters.md', { tags: 'kustomize', skip: !isRendering }, () => {
  it('leaves the user ids to OpenShift, and lets pods ask its DNS', async () => {
    const objects = await withSection('OpenShift')
    expect(JSON.stringify(objects)).not.toMatch(/runAsUser|runAsGroup/)
    for (const pod of deploymentsOf(objects)) expect(pod).toMatchObject({ securityContext: { runAsNonRoot: true } })
    expect(egressOf(objects, 'dns')).toMatch(/5353.*openshift-dns/)
  })

  it('leaves the user ids of sinks to OpenShift, too', async () => {
    const [, sinks = ''] = blocksOf(sections.find((section) => section.startsWith('OpenShift\n')) ?? '')
    const objects = await renderedText(sinks)
    expect(ofKind([...objects], 'serving.knative.dev/v1/Service')).toHaveLength(2)
    expect(JSON.stringify(objects)).not.toMatch(/runAsUser|runAsGroup/)
  })

  it('lets pods ask a cache of their node, and kube-dns as before', async () => {
    expect(egressOf(await withSection('NodeLocal DNSCache'), 'dns')).toMatch(/kube-dns.*169\.254\.20\.10/)
  })

  it('gives every service the proxy, and lets it through to it', async () => {
    const objects = await withSection('An outbound proxy')
    const secretRef = { name: 'outbound-proxy' }
    for (const pod of deploymentsOf(objects)) expect(pod?.containers?.[0]?.envFrom).toContainEqual({ secretRef })
    expect(egressOf(objects, 'https')).toMatch(/443.*3128.*192\.0\.2\.10/)
  })

  it('has movie-api ask itself', async () => {
    const objects = await withSection('movie-api without the film service')
    const [map] = objects.filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('movie-api-'))
    expect(map).toMatchObject({
      data: { EXTERNAL_URL: 'http://localhost:9000', EXTERNAL_URL_PATH: 'q/health/live', MANAGEMENT_PORT: '9000' },
    })
  })

  it('requests and limits ephemeral storage beside what else is', async () => {
    for (const pod of deploymentsOf(await withSection('Ephemeral storage'))) {
      expect(pod?.containers?.[0]?.resources).toMatchObject({
        requests: { cpu: expect.any(String), 'ephemeral-storage': '64Mi' },
        limits: { memory: expect.any(String), 'ephemeral-storage': '128Mi' },
      })
    }
  })
})
