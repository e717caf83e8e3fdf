import { join } from 'node:path'
import { type KubeObject, parseObjects } from '../src/kube-object.ts'
import { findRenderer } from '../src/render.ts'
import { DEPLOY } from './folders.ts'

const render = await findRenderer()

/**
 * Whether overlays can be rendered here; without it their tests are skipped, and this says why. In CI they may be skipped only with a
 * reason in `OVERLAYS_LEFT_OUT`, so that a missing renderer is a failure.
 */
export const isRendering = render !== undefined
if (!isRendering) {
  const leftOut = process.env['OVERLAYS_LEFT_OUT']
  const reason = leftOut ?? 'neither kustomize 5 nor a kubectl of 1.27 or later is installed'
  if (process.env['CI'] === 'true' && leftOut === undefined)
    throw new Error(`the overlays cannot be checked: ${reason}`)
  console.warn(`the tests of the overlays are skipped, only the files are checked: ${reason}`)
}

/** The YAML of any folder with a `kustomization.yaml`, to the byte. */
export async function renderText(folder: string): Promise<string> {
  if (render === undefined) throw new Error('nothing renders here')
  return render(folder)
}

/** The objects of any folder with a `kustomization.yaml`. */
export async function renderFolder(folder: string): Promise<KubeObject[]> {
  return parseObjects(await renderText(folder))
}

const rendered = new Map<string, Promise<readonly KubeObject[]>>()

/** A fresh copy of the objects of `deploy/kubernetes/overlays/NAME`, which may be changed. */
export async function overlay(name: string): Promise<KubeObject[]> {
  const objects = rendered.get(name) ?? renderFolder(join(DEPLOY, 'kubernetes/overlays', name))
  rendered.set(name, objects)
  return structuredClone([...(await objects)])
}
