import { createRequire } from 'node:module'
import { madeBundle } from '@taproom/bundles'
import type { System } from '@taproom/system'

type Start = typeof import('@taproom/start')

/** What runs a system: its bundle, where an earlier start made one that is current, or else the package. */
export async function loadStart(root: string, { bundle }: System): Promise<Start> {
  const made = bundle && madeBundle('gateway', { root, external: bundle.external })
  return made === undefined ? await import('@taproom/start') : createRequire(import.meta.url)(made)
}
