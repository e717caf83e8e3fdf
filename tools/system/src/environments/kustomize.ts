import type { Stats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parse } from 'yaml'
import { AbsentError } from './absent-error.ts'
import { type DataGenerator, withGenerated } from './generated-data.ts'
import type { KubeObject } from './kube-object.ts'
import { type PatchTarget, withPatch } from './kustomize-patches.ts'
import { reasonOf } from './reason-of.ts'
import { UnreadError } from './unread-error.ts'
import { yamlDocuments } from './yaml-documents.ts'

/** The objects of a folder with a `kustomization.yaml`, as far as the environments of its pods go. */
export interface Rendered {
  readonly objects: readonly KubeObject[]
  /** Names that lead nowhere, and patches that do not fit, each with the folder that has them. */
  readonly problems: readonly string[]
  /** Parts that are read by kustomize alone, and what is for objects that may be in them: what they change is not among the objects. */
  readonly unread: readonly string[]
}

interface Patch {
  readonly path?: string
  readonly patch?: string
  readonly target?: PatchTarget
}

interface Kustomization {
  readonly resources?: readonly string[]
  readonly bases?: readonly string[]
  readonly components?: readonly string[]
  readonly configMapGenerator?: readonly DataGenerator[]
  readonly secretGenerator?: readonly DataGenerator[]
  readonly patches?: readonly Patch[] | null
  readonly patchesJson6902?: readonly Patch[] | null
  readonly patchesStrategicMerge?: readonly string[] | null
}

/** A folder, then those above: each has the one before it as a resource or component. */
type Folders = readonly [string, ...string[]]

const FILES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization']
/** Fields by which kustomize may change an environment, and that are not read here. */
const UNREAD = ['replacements', 'vars', 'helmCharts', 'generators', 'transformers']

/**
 * Renders a folder as kustomize does, but for names, namespaces, labels, images and replicas, which environments do not depend on. What is
 * broken is left out and named, so that the rest can be judged. `root` is left out of the names.
 */
export async function renderEnvironments(root: string, folder: string): Promise<Rendered> {
  const problems: string[] = []
  const unread: string[] = []
  const read = (file: string) => readFile(join(root, file), 'utf8')

  /** Runs a step; one that fails leaves the objects as they are. Objects without a name are left out. */
  async function step(
    objects: readonly KubeObject[],
    of: string,
    run: () => readonly KubeObject[] | Promise<readonly KubeObject[]>,
  ): Promise<readonly KubeObject[]> {
    try {
      const after = await run()
      const whole = after.filter(isNamed)
      if (whole.length < after.length) problems.push(`${of}: an object has no apiVersion, kind or metadata.name`)
      return whole
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const mayBeElsewhere = error instanceof AbsentError && unread.length > 0
      const findings = error instanceof UnreadError || mayBeElsewhere ? unread : problems
      findings.push(`${of}: ${code === 'ENOENT' ? 'is not there' : reasonOf(error)}`)
      return objects
    }
  }

  function withResource(objects: readonly KubeObject[], folders: Folders, name: string) {
    const path = join(folders[0], name)
    return step(objects, `${folders[0]}: ${name}`, async () => {
      const found = await statHere(join(root, path), name)
      if (found.isDirectory()) return [...objects, ...(await withKustomization([], [path, ...folders]))]
      return [...objects, ...objectsIn(await read(path))]
    })
  }

  function withComponent(objects: readonly KubeObject[], folders: Folders, name: string) {
    const path = join(folders[0], name)
    return step(objects, `${folders[0]}: ${name}`, async () => {
      await statHere(join(root, path), name)
      return withKustomization(objects, [path, ...folders])
    })
  }

  async function withKustomization(start: readonly KubeObject[], folders: Folders): Promise<readonly KubeObject[]> {
    const [folder, ...above] = folders
    if (above.some((one) => relative(one, folder) === '')) throw new RangeError('leads back to itself')
    const file = await firstOf(FILES.map((name) => join(root, folder, name)))
    const content: Kustomization = parse(await readFile(file, 'utf8')) ?? {}
    for (const field of UNREAD) if (field in content) unread.push(`${folder}: ${field} are not read`)
    let objects = start
    for (const name of [...(content.resources ?? []), ...(content.bases ?? [])])
      objects = await withResource(objects, folders, name)
    for (const kind of ['ConfigMap', 'Secret'] as const) {
      const generators = kind === 'Secret' ? content.secretGenerator : content.configMapGenerator
      for (const generator of generators ?? []) {
        const source = { kind, folder, read }
        objects = await step(objects, folder, () => withGenerated(objects, generator, source))
      }
    }
    for (const name of content.components ?? []) objects = await withComponent(objects, folders, name)
    for (const { path, patch, target } of patchesOf(content)) {
      const of = path === undefined ? folder : `${folder}: ${path}`
      objects = await step(objects, of, async () =>
        withPatch(objects, patch ?? (await read(join(folder, path ?? ''))), target),
      )
    }
    return objects
  }

  const objects = await step([], folder, () => withKustomization([], [folder]))
  return { objects, problems, unread }
}

function patchesOf({ patches, patchesJson6902, patchesStrategicMerge }: Kustomization): Patch[] {
  const merging = (patchesStrategicMerge ?? []).map((text) => (text.includes('\n') ? { patch: text } : { path: text }))
  return [...merging, ...(patches ?? []), ...(patchesJson6902 ?? [])]
}

/** As kustomize, takes a name for that of another machine when nothing here has it. @throws {UnreadError} for such a name */
async function statHere(path: string, name: string): Promise<Stats> {
  try {
    return await stat(path)
  } catch (error) {
    if (isRemote(name)) throw new UnreadError('is not on this machine')
    throw error
  }
}

/** A name of another machine is a URL, begins with a host, as `gitlab.com/shop/deploy//base` does, or has a version. */
function isRemote(name: string): boolean {
  return /:\/\/|^git@|^(?:[\w-]+\.)+[a-z]{2,}(?::|\/)|[?&]ref=/i.test(name)
}

/** The first of them that is a file. @throws {Error} when none is */
async function firstOf(files: readonly string[]): Promise<string> {
  for (const file of files) {
    const found = await stat(file).catch(() => undefined)
    if (found?.isFile() === true) return file
  }
  throw new RangeError('has no kustomization.yaml')
}

function isNamed(object: Partial<KubeObject> | null): boolean {
  return [object?.apiVersion, object?.kind, object?.metadata?.name].every((text) => typeof text === 'string')
}

function objectsIn(text: string): readonly KubeObject[] {
  return yamlDocuments(text).flatMap((document) => {
    const object = document as (KubeObject & { readonly items?: readonly KubeObject[] }) | null
    if (object === null) return []
    return object.kind === 'List' ? (object.items ?? []) : object
  })
}
