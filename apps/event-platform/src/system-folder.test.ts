import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { systemFolder } from './system-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'system-'))
afterAll(() => rmSync(root, { recursive: true }))

it('systemFolder is that of the nearest system.ts upwards, else the folder itself', () => {
  const below = join(root, 'apps/event-platform')
  mkdirSync(below, { recursive: true })
  expect(systemFolder(below)).toEqual({ manifests: join(below, 'deploy/knative'), apps: join(below, 'apps') })
  writeFileSync(join(root, 'system.ts'), '')
  expect(systemFolder(below)).toEqual({ manifests: join(root, 'deploy/knative'), apps: join(root, 'apps') })
})
