import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseObjects } from '../../src/deploy-checks/kube-object.ts'
import { schemaProblems } from '../../src/deploy-checks/schema-problems.ts'
import { DEPLOY } from './folders.ts'

interface Kustomization {
  readonly resources?: readonly string[]
  readonly components?: readonly string[]
  readonly patches?: readonly { readonly path?: string }[]
}

const FOLDERS = ['knative', 'knative-v1beta1', 'kubernetes']
const files = (
  await Promise.all(FOLDERS.map((folder) => readdir(join(DEPLOY, folder), { recursive: true, withFileTypes: true })))
)
  .flat()
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => relative(DEPLOY, join(parentPath, name)))
const kustomizations = files.filter((file) => basename(file) === 'kustomization.yaml')

const read = (file: string) => readFile(join(DEPLOY, file), 'utf8')

async function namedBy(kustomization: string) {
  const { resources = [], components = [], patches = [] } = parse(await read(kustomization)) as Kustomization
  const inFolder = (path: string) => join(dirname(kustomization), path)
  return {
    resources: [...resources, ...components].map(inFolder),
    patches: patches.flatMap(({ path }) => (path === undefined ? [] : [inFolder(path)])),
  }
}

const named = await Promise.all(kustomizations.map(namedBy))
const resources = named.flatMap((one) => one.resources).filter((path) => path.endsWith('.yaml'))

describe('the manifest files', () => {
  it('are all part of a kustomization, and each is there', () => {
    const patches = named.flatMap((one) => one.patches)
    const expected = [...kustomizations, ...new Set([...resources, ...patches])].sort()
    expect(files.toSorted()).toEqual(expected)
    expect(resources.length).toBeGreaterThan(20)
  })

  it('name folders that have a kustomization', () => {
    const folders = named.flatMap((one) => one.resources).filter((path) => !path.endsWith('.yaml'))
    expect(folders.filter((folder) => !kustomizations.includes(join(folder, 'kustomization.yaml')))).toEqual([])
  })

  it.each(resources)('%s is valid by the schemas, without unknown fields', async (file) => {
    const objects = parseObjects(await read(file))
    expect(objects).not.toEqual([])
    expect((await Promise.all(objects.map(schemaProblems))).flat()).toEqual([])
  })

  it('are applied in the order of their numbers', async () => {
    for (const kustomization of kustomizations) {
      const numbered = (await namedBy(kustomization)).resources
        .map((path) => basename(path))
        .filter((name) => /^\d{3}-/.test(name))
      expect(numbered, kustomization).toEqual(numbered.toSorted())
    }
  })
})
