import { parse } from 'yaml'
import { platformOf, type System } from '../define-system.ts'
import { projectName } from '../project-name.ts'
import { SINKS_IMAGE } from '../sink.ts'
import { clusterApps } from './cluster-apps.ts'
import { componentsOf } from './cluster-files.ts'
import { configMap } from './config-maps.ts'
import { linesOf, type Regions } from './regions.ts'
import { yaml } from './written.ts'

const PUBLISHED = { newName: 'registry.example.com', newTag: '0.1.0' }

interface ImageEntry {
  readonly name: string
  readonly newName?: string
  readonly newTag?: string
  readonly digest?: string
}

/** The written parts of an overlay. `present` is its text so far, of which the images keep what people made of them. */
export type OverlayParts = (present: string) => Regions

/** Of deploy/kubernetes/overlays, by name: those that a system has. */
export function overlays(system: System): Readonly<Record<string, OverlayParts>> {
  const apps = clusterApps(system)
  const { development, production } = componentsOf(system)
  const configMaps = (of: 'development' | 'production') => apps.map(([name, app]) => yaml([configMap(name, app, of)]))
  const components = (names: readonly string[]) => names.map((name) => `- ../../components/${name}`)
  const names = apps.map(([name]) => name)
  const sinkImages = Object.keys(system.sinks).length > 0 ? [SINKS_IMAGE] : []
  const withPublished = (present: string, wanted: readonly string[]) => imageEntries(present, wanted, system)
  return {
    ...(apps.length > 0 && {
      development: (present) => ({
        components: components(development),
        'config maps': configMaps('development'),
        images: imageEntries(present, names),
      }),
      production: (present) => ({
        components: components(production),
        'config maps': configMaps('production'),
        images: withPublished(present, names),
      }),
    }),
    ...(apps.length > 0 &&
      platformOf(system) !== undefined && {
        knative: (present) => ({ images: withPublished(present, sinkImages) }),
      }),
  }
}

/** One for each wanted name: as it is there; else named as the first one is; else by default: as built here, or `published` for a system. */
function imageEntries(present: string, wanted: readonly string[], published?: System): readonly string[] {
  const found: readonly ImageEntry[] = parse(linesOf(present, 'images').join('\n')) ?? []
  const [first] = found
  const folder =
    first?.newName?.replace(/\/[^/]*$/, '') ?? (published && `${PUBLISHED.newName}/${projectName(published)}`)
  const newTag = first?.newTag ?? (published === undefined ? 'development' : PUBLISHED.newTag)
  return wanted.map((name) =>
    yaml([
      found.find((entry) => entry.name === name) ?? {
        name,
        ...(folder !== undefined && { newName: `${folder}/${name}` }),
        newTag,
      },
    ]),
  )
}
