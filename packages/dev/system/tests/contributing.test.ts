import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type WrittenFile, writtenFiles } from '../src/generate/written-files.ts'
import { imagesOf, type System } from '../src/index.ts'
import { system } from './taproom.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const recipes = await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8')

/** In place of the recipes' names, which somebody who followed them has in the system. */
const NEW = 'onemore'

/** The code of a recipe. */
function recipe(name: 'app' | 'sink'): string {
  const code = new RegExp(`^\`\`\`ts ${name}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(recipes)?.[1]
  if (code === undefined) throw new Error(`CONTRIBUTING.md has no recipe for: ${name}`)
  return code
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taproom-recipe-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** system.ts with an entry more, behind the line that opens the place for it. */
async function systemWith(entry: string, opening: string): Promise<System> {
  const text = await readFile(join(ROOT, 'system.ts'), 'utf8')
  expect(text).toContain(opening)
  const changed = text
    .replace(opening, () => `${opening}\n${entry}`)
    .replaceAll(/'\.\/(apps|packages)\//g, `'${ROOT}$1/`)
  const file = join(folder, `system-${opening.length}.ts`)
  await writeFile(file, changed)
  return ((await import(file)) as { system: System }).system
}

/** What is written otherwise than for the system as it is. */
async function changesBy(changed: System): Promise<readonly WrittenFile[]> {
  const before = await writtenFiles(system, ROOT)
  const after = await writtenFiles(changed, ROOT)
  return after.filter(({ path, text }) => before.find((file) => file.path === path)?.text !== text)
}

describe('the recipes of CONTRIBUTING.md', () => {
  it('an app: an entry, from which its manifests, compose, the image and the README come', async () => {
    const changed = await systemWith(recipe('app').replace('wine-generator', NEW), '  apps: {')
    const files = await changesBy(changed)
    const named = files.filter(({ text = '' }) => text.includes(NEW)).map(({ path }) => path)
    expect(named.toSorted()).toEqual([
      'README.md',
      'deploy/compose.yaml',
      `deploy/kubernetes/base/apps/${NEW}.yaml`,
      'deploy/kubernetes/base/kustomization.yaml',
      'deploy/kubernetes/components/kafka-credentials/kustomization.yaml',
      'deploy/kubernetes/overlays/development/kustomization.yaml',
      'deploy/kubernetes/overlays/production/kustomization.yaml',
    ])
    const manifest = files.find(({ path }) => path.endsWith(`${NEW}.yaml`))?.text
    expect(manifest).toContain('taproom.dev/needs-kafka: "true"')
    expect(imagesOf(changed)).toContainEqual({ name: NEW, apps: [NEW] })
    expect(await changed.apps[NEW]?.config?.()).toHaveProperty('readConfig')
  })

  it('a sink: an entry, from which its service, trigger, route and images come', async () => {
    const changed = await systemWith(
      recipe('sink').replaceAll('ciao', NEW),
      'const sinks: Readonly<Record<string, Sink>> = {',
    )
    const named = (await changesBy(changed)).filter(({ text = '' }) => text.includes(NEW)).map(({ path }) => path)
    expect(named.toSorted()).toEqual([
      'README.md',
      `deploy/knative/300-eventing${NEW}.yaml`,
      `deploy/knative/400-trigger-${NEW}.yaml`,
      'deploy/knative/kustomization.yaml',
      'deploy/kubernetes/event-routes/200-sinks.yaml',
    ])
    const holding = imagesOf(changed).filter(({ apps }) => apps.includes(`${NEW}-sink`))
    expect(holding.map(({ name }) => name)).toEqual(['event-sinks', 'event-platform'])
  })

  it('name files that are there', () => {
    const named = Array.from(recipes.matchAll(/`((?:apps|packages)\/[\w./-]+)`/g), ([, path = '']) => path)
    const own = ['apps/wine-generator', 'apps/ciao-sink']
    expect(named.filter((path) => !own.includes(path) && !existsSync(join(ROOT, path)))).toEqual([])
    expect(named.length).toBeGreaterThan(10)
  })
})
