import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { type KubeObject, parseObjects } from '../../src/deploy-checks/kube-object.ts'
import { findRenderer } from '../../src/deploy-checks/render.ts'
import { DEPLOY } from './folders.ts'

const render = await findRenderer()

/** Whether overlays can be rendered here; tests that need it have the tag `kustomize`. */
export const isRendering = render !== undefined

/** The YAML of any folder with a `kustomization.yaml`, to the byte. */
export async function renderText(folder: string): Promise<string> {
  if (render === undefined) throw new Error('nothing renders here')
  return render(folder)
}

/** The objects of any folder with a `kustomization.yaml`. */
export async function renderFolder(folder: string): Promise<KubeObject[]> {
  return parseObjects(await renderText(folder))
}

/** An overlay of `deploy/kubernetes/overlays` with a component that it does not have by itself. */
export async function overlayWith(name: string, component: string): Promise<KubeObject[]> {
  const folder = await mkdtemp(join(tmpdir(), 'deploy-overlay-'))
  const inKubernetes = (path: string) => relative(folder, join(DEPLOY, 'kubernetes', path))
  try {
    await writeFile(
      join(folder, 'kustomization.yaml'),
      `namespace: taproom\nresources: [${inKubernetes(`overlays/${name}`)}]\ncomponents: [${inKubernetes(`components/${component}`)}]\n`,
    )
    return await renderFolder(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const rendered = new Map<string, Promise<string>>()

/** Renders `deploy/kubernetes/overlays/NAME` once. */
export function overlayText(name: string): Promise<string> {
  const text = rendered.get(name) ?? renderText(join(DEPLOY, 'kubernetes/overlays', name))
  rendered.set(name, text)
  return text
}

const parsed = new Map<string, Promise<readonly KubeObject[]>>()

/** A fresh copy of the objects of `deploy/kubernetes/overlays/NAME`, which may be changed. */
export async function overlay(name: string): Promise<KubeObject[]> {
  const objects = parsed.get(name) ?? overlayText(name).then(parseObjects)
  parsed.set(name, objects)
  return structuredClone([...(await objects)])
}
