import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { copied, inOverlays } from './copied-deploy.ts'
import { DEPLOY, OVERLAYS } from './folders.ts'
import { isRendering, overlayText, renderText } from './rendered.ts'

describe.each(OVERLAYS)('overlay %s, for Argo CD and Flux', { tags: 'kustomize', skip: !isRendering }, (name) => {
  it('is rendered from two folders to the same bytes', async () => {
    await using copy = await copied()
    const text = await overlayText(name)
    expect(await renderText(inOverlays(copy.root, name))).toBe(text)
    expect(text).not.toContain(dirname(DEPLOY))
  })
})
