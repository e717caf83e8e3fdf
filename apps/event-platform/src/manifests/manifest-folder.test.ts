import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ResourceStore } from '../resources/resource-store.ts'
import { openManifestFolder } from './manifest-folder.ts'
import { ManifestSet } from './manifest-set.ts'
import type { ParsedManifest } from './parse-manifests.ts'

let folder: string
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  folder = mkdtempSync(join(tmpdir(), 'manifests-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

/** Lets file operations run until the condition holds; the test's time limit ends it otherwise. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setImmediate()
}

it('manifestFolder takes no file for empty that is just being written', async () => {
  const path = join(folder, 'a.yaml')
  const applied: unknown[] = []
  const apply = (files: readonly ParsedManifest[]) => {
    applied.push(files.flatMap(({ documents }) => documents.map(({ value }) => value)))
    return { problems: [], added: 0, changed: 0, removed: 0 }
  }
  const log = { info: () => {}, warn: () => {} }
  writeFileSync(path, 'before')
  await using _manifests = await openManifestFolder({ folder, set: { apply } as unknown as ManifestSet, log })
  // Other code of this process may set timers, too: these are the two of the folder.
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const nextWait = async (ms: number) => {
    timers.mockClear()
    vi.advanceTimersByTime(ms)
    await until(() => timers.mock.calls.some(([, delay]) => delay === 100 || delay === 1000))
  }
  writeFileSync(path, '')
  await nextWait(1000)
  writeFileSync(path, 'afterwards')
  await nextWait(100)
  expect(applied).toEqual([['before']])
  await nextWait(100)
  expect(applied).toEqual([['before'], ['afterwards']])
})

it('manifestFolder says how many files were refused, however much is wrong with one, and what became of the others', async () => {
  const namespace = (name: string) => `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${name} }\n`
  const trigger = 'apiVersion: eventing.knative.dev/v1\nkind: Trigger\nmetadata: { name: one }\nspec: {}\n'
  writeFileSync(join(folder, 'a.yaml'), `${namespace('one')}---\n${namespace('two')}`)
  writeFileSync(join(folder, 'b.yaml'), trigger)
  const warnings: object[] = []
  const infos: object[] = []
  const log = {
    info: (fields: object) => void infos.push(fields),
    warn: (fields: object) => void warnings.push(fields),
  }
  await using _manifests = await openManifestFolder({ folder, set: new ManifestSet(new ResourceStore()), log })
  expect(warnings).toEqual([
    expect.objectContaining({ file: 'b.yaml', field: 'spec.broker' }),
    expect.objectContaining({ file: 'b.yaml', field: 'spec.subscriber' }),
  ])
  expect(infos).toEqual([{ folder, files: 2, refused: 1, added: 2, changed: 0, removed: 0 }])
})

it('manifestFolder reads a large file in a thread of its own, with the problems of a small one', async () => {
  vi.useRealTimers()
  const namespace = (name: string) => `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${name} }\n`
  writeFileSync(join(folder, 'large.yaml'), Array.from({ length: 400 }, (_, at) => namespace(`n${at}`)).join('---\n'))
  writeFileSync(join(folder, 'wrong.yaml'), `${'#'.repeat(20_000)}\na: 1\nb: { c: 1, "c": 2 }\n`)
  const store = new ResourceStore()
  const log = { info: () => {}, warn: () => {} }
  await using manifests = await openManifestFolder({ folder, set: new ManifestSet(store), log })
  expect(store.list('Namespace')).toHaveLength(400)
  expect(manifests.problems).toMatchObject([
    { file: 'wrong.yaml', field: '(yaml)', rule: expect.stringContaining('"c"') },
  ])
})
