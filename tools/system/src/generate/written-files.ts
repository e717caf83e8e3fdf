import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { System } from '../define-system.ts'
import { projectName } from '../project-name.ts'
import { appsTable } from './apps-table.ts'
import { clusterFiles } from './cluster-files.ts'
import { composeApps } from './compose-apps.ts'
import { composeParts } from './compose-services.ts'
import { gatewayConf } from './gateway-conf.ts'
import { manifest } from './manifest.ts'
import { overlays } from './overlay-files.ts'
import { hasRegions, type Regions, withRegions } from './regions.ts'
import { sinkManifests } from './sink-manifests.ts'
import { isWritten, written } from './written.ts'

/** A file and the text that `pnpm generate` gives it. */
export interface WrittenFile {
  /** Below the root of the repository. */
  readonly path: string
  /** Undefined when the file is to be removed: its app or sink is no longer in the description. */
  readonly text: string | undefined
}

const DEPLOY = 'deploy'
const KUBERNETES = `${DEPLOY}/kubernetes`
const KNATIVE = `${DEPLOY}/knative`
const BASE = `${KUBERNETES}/base`
const COMPOSE = `${DEPLOY}/compose.yaml`
const README = 'README.md'

/**
 * All files that are written from a description, for `root`, the system's folder. Those that are written as a whole are left alone where
 * people made them their own. Those with written parts, of which the rest is by hand, are made where they are not there, but for README.md;
 * one without any such part is people's alone.
 */
export async function writtenFiles(system: System, root: string): Promise<WrittenFile[]> {
  const whole = await wholeFiles(system, root)
  const partly = await partlyWritten(system, root)
  const left = await leftFiles(root, DEPLOY, new Set([...whole.keys(), ...partly.map(({ path }) => path)]))
  return [...(await withoutOwned(whole, root)), ...partly, ...left]
}

/** The part of them that the event platform runs: deploy/knative. None where the system has no event platform. */
export async function writtenManifests(system: System, root: string): Promise<WrittenFile[]> {
  const manifests = knativeFiles(system)
  if (manifests.size === 0) return []
  const left = await leftFiles(root, KNATIVE, new Set(manifests.keys()))
  return [...(await withoutOwned(manifests, root)), ...left]
}

type PartlyWritten = WrittenFile & { readonly text: string }

/** A file of people's with written parts. */
interface Partly {
  readonly path: string
  /** Its text so far, or what it is made from where it is not there; empty where it is not made. */
  readonly present: string
  regions(present: string): Regions | Promise<Regions>
}

/** Texts by path. */
async function wholeFiles(system: System, root: string): Promise<ReadonlyMap<string, string>> {
  const cluster = await clusterFiles(system, await ownObjects(root))
  const compose = await presentCompose(system, root)
  const gateway = await gatewayConf(system, composeApps(system, compose))
  return new Map([
    ...Array.from(cluster, ([path, text]) => [`${KUBERNETES}/${path}`, text] as const),
    ...knativeFiles(system),
    ...(gateway === undefined ? [] : [[`${DEPLOY}/gateway.conf`, gateway] as const]),
    ...(hasRegions(compose) ? [[`${DEPLOY}/.env`, await composeEnv(system)] as const] : []),
  ])
}

/** Texts by path. */
function knativeFiles(system: System): ReadonlyMap<string, string> {
  return new Map(Object.entries(sinkManifests(system)).map(([name, text]) => [`${KNATIVE}/${name}`, text]))
}

/** What Compose reads beside its file: the name of the project. */
async function composeEnv(system: System): Promise<string> {
  return written(await manifest('compose/project.env', projectName(system)))
}

/** Whether people's own `deploy/.env` leaves the name of the project to Compose. */
export async function lacksProjectName(root: string): Promise<boolean> {
  const text = await textOf(join(root, DEPLOY, '.env'))
  return (
    text !== undefined &&
    existsSync(join(root, COMPOSE)) &&
    !/^\s*(?:export\s+)?COMPOSE_PROJECT_NAME\s*=\s*\S/m.test(text)
  )
}

async function partlyWritten(system: System, root: string): Promise<readonly PartlyWritten[]> {
  const ofOverlays = Object.entries(overlays(system)).map(async ([name, regions]): Promise<Partly> => {
    const below = `kubernetes/overlays/${name}/kustomization.yaml`
    const path = `${DEPLOY}/${below}`
    return { path, present: (await textOf(join(root, path))) ?? (await manifest(below, projectName(system))), regions }
  })
  const parts: readonly Partly[] = [
    ...(await Promise.all(ofOverlays)),
    { path: COMPOSE, present: await presentCompose(system, root), regions: (text) => composeParts(system, text) },
    {
      path: README,
      present: (await textOf(join(root, README))) ?? '',
      regions: async () => ({ apps: await appsTable(system, root) }),
    },
  ]
  const texts = parts.map(async ({ path, present, regions }) =>
    hasRegions(present) ? [{ path, text: withRegions(path, present, await regions(present)) }] : [],
  )
  return (await Promise.all(texts)).flat()
}

/** deploy/compose.yaml as it is, or what it is made from; empty where no app would be in it. */
async function presentCompose(system: System, root: string): Promise<string> {
  const present = await textOf(join(root, COMPOSE))
  if (present !== undefined) return present
  const template = await manifest('compose/compose.yaml', projectName(system))
  return Object.keys(system.apps).some(composeApps(system, template).inCompose) ? template : ''
}

async function textOf(file: string): Promise<string | undefined> {
  return existsSync(file) ? await readFile(file, 'utf8') : undefined
}

/** The numbered files of the base that people wrote: its kustomization has them, too. */
async function ownObjects(root: string): Promise<readonly string[]> {
  const names = (await filesIn(join(root, BASE))).filter((name) => /^\d{3}-[^/]*\.yaml$/.test(name))
  const owned = await Promise.all(names.map((name) => isOwned(join(root, BASE, name))))
  return names.filter((_, index) => owned[index])
}

/** Whether a file is there that was not written as a whole. */
async function isOwned(file: string): Promise<boolean> {
  const text = await textOf(file)
  return text !== undefined && !isWritten(text)
}

/** The texts of paths, without those of files that people made their own. */
async function withoutOwned(texts: ReadonlyMap<string, string>, root: string): Promise<WrittenFile[]> {
  const files = Array.from(texts, ([path, text]) => ({ path, text }))
  const owned = await Promise.all(files.map(({ path }) => isOwned(join(root, path))))
  return files.filter((_, index) => !owned[index])
}

/** Files of a folder that were written as a whole, and that the description no longer wants. */
async function leftFiles(root: string, folder: string, wanted: ReadonlySet<string>): Promise<WrittenFile[]> {
  const paths = (await filesIn(join(root, folder))).map((name) => `${folder}/${name}`)
  const left = paths.filter((path) => /\.(?:yaml|conf|env)$/.test(path) && !wanted.has(path))
  const owned = await Promise.all(left.map((path) => isOwned(join(root, path))))
  return left.filter((_, index) => !owned[index]).map((path) => ({ path, text: undefined }))
}

/** All files below a folder, by their paths from there. */
async function filesIn(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return []
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
}
