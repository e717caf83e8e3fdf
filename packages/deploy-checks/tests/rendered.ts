import { join } from 'node:path'
import type { KubeObject } from '../src/kube-object.ts'
import { findRenderer } from '../src/render.ts'
import { DEPLOY } from './folders.ts'

const render = await findRenderer()

/** Whether overlays can be rendered here. CI must be able to; elsewhere their tests are skipped, and this says why. */
export const isRendering = render !== undefined
if (!isRendering) {
  const reason = 'neither kustomize 5 nor a kubectl of 1.27 or later is installed'
  if (process.env['CI'] === 'true') throw new Error(`the overlays cannot be checked: ${reason}`)
  console.warn(`deploy-checks: the overlays are not rendered, only the files are checked: ${reason}`)
}

const rendered = new Map<string, Promise<readonly KubeObject[]>>()

/** A fresh copy of the objects of `deploy/kubernetes/overlays/NAME`, to be changed at will. */
export async function overlay(name: string): Promise<KubeObject[]> {
  if (render === undefined) throw new Error('nothing renders here')
  const objects = rendered.get(name) ?? render(join(DEPLOY, 'kubernetes/overlays', name))
  rendered.set(name, objects)
  return structuredClone([...(await objects)])
}
