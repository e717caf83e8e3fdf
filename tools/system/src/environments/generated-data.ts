import { basename, join } from 'node:path'
import { AbsentError } from './absent-error.ts'
import type { KubeObject } from './kube-object.ts'

/** An entry of `configMapGenerator` or `secretGenerator`. */
export interface DataGenerator {
  readonly name: string
  readonly behavior?: 'create' | 'merge' | 'replace'
  readonly literals?: readonly string[] | null
  readonly files?: readonly string[] | null
  readonly envs?: readonly string[] | null
  readonly env?: string | null
}

interface Source {
  readonly kind: 'ConfigMap' | 'Secret'
  readonly folder: string
  /** @throws {Error} when the file cannot be read */
  read(file: string): Promise<string>
}

/**
 * Objects with what an entry generates. Names have no hash: references here are by the names as they are written.
 *
 * @throws {AbsentError} when there is nothing to merge with
 * @throws {Error} when a file cannot be read
 */
export async function withGenerated(
  objects: readonly KubeObject[],
  generator: DataGenerator,
  { kind, folder, read }: Source,
): Promise<readonly KubeObject[]> {
  const { name, behavior = 'create' } = generator
  const own = await dataOf(generator, (file) => read(join(folder, file)))
  const present = objects.find((object) => object.kind === kind && object.metadata.name === name)
  if (behavior === 'create') return [...objects, { apiVersion: 'v1', kind, metadata: { name }, ...texts(kind, own) }]
  if (present === undefined) throw new AbsentError(`${kind} ${name} is to be ${behavior}d, and is not there`)
  const before = behavior === 'merge' ? (kind === 'Secret' ? present.stringData : present.data) : {}
  const after = { ...present, ...texts(kind, { ...before, ...own }) }
  return objects.map((object) => (object === present ? after : object))
}

function texts(kind: Source['kind'], data: NonNullable<KubeObject['data']>): Pick<KubeObject, 'data' | 'stringData'> {
  return kind === 'Secret' ? { stringData: data } : { data }
}

async function dataOf(
  { literals, files, envs, env }: DataGenerator,
  read: (file: string) => Promise<string>,
): Promise<NonNullable<KubeObject['data']>> {
  const ofEnvs = [...(envs ?? []), ...(env == null ? [] : [env])].map(async (file) => variablesIn(await read(file)))
  const ofFiles = (files ?? []).map(async (entry) => {
    const [file = '', key = basename(file)] = entry.split('=').toReversed()
    return { [key]: await read(file) }
  })
  const pairs = (literals ?? []).map((literal) => {
    const [, key = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(literal) ?? []
    return { [key]: value.replace(/^(["'])([\s\S]*)\1$/, '$2') }
  })
  return Object.assign({}, ...(await Promise.all([...ofEnvs, ...ofFiles])), ...pairs)
}

/** Values are as they are written, with quotes. One without `=` is that of the caller of kustomize: undefined. */
function variablesIn(text: string): Readonly<Record<string, string | undefined>> {
  const lines = text.split(/\r?\n/).map((line) => line.trimStart())
  const entries = lines.filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    entries.map((line) => {
      const [, key = line, value] = /^([^=]*)=([\s\S]*)$/.exec(line) ?? []
      return [key, value]
    }),
  )
}
