import { isMap, parseDocument } from 'yaml'
import type { System } from '../define-system.ts'
import { reasonOf } from '../environments/reason-of.ts'
import { imagesOf } from '../images.ts'
import { hasRegions, withoutRegions } from './regions.ts'

/** What is in deploy/compose.yaml: that file and deploy/gateway.conf both go by this. */
export interface ComposeApps {
  /** Whether people wrote this service. */
  isByHand(service: string): boolean
  /** Whether an app, or what people wrote besides, is a service there. */
  inCompose(name: string): boolean
  /** Names of the `secrets` that people wrote there. Undefined where they wrote none. */
  readonly ownSecrets: readonly string[] | undefined
}

/** The text that people wrote in deploy/compose.yaml is not YAML. */
export class ComposeSyntaxError extends RangeError {}

/**
 * Of the file whose text so far is `present`. An app is in it where people wrote a service of its name, and else, in a file with written
 * parts, where it has an image.
 *
 * @throws {ComposeSyntaxError} when the text is not YAML
 */
export function composeApps(system: System, present: string): ComposeApps {
  const { services: byHand = [], secrets: ownSecrets } = namesIn(withoutRegions(present))
  const images = hasRegions(present) ? imagesOf(system).map(({ name }) => name) : []
  const isByHand = (service: string) => byHand.includes(service)
  return { isByHand, inCompose: (name) => isByHand(name) || images.includes(name), ownSecrets }
}

/** What is named under two of the keys of the file; undefined where it has no such key. */
function namesIn(compose: string): Readonly<Record<'services' | 'secrets', readonly string[] | undefined>> {
  // Its aliases may be of anchors in a written part, so it is read and not resolved.
  const { contents, errors } = parseDocument(compose)
  const [error] = errors
  if (error !== undefined) throw new ComposeSyntaxError(`deploy/compose.yaml: ${reasonOf(error)}`)
  const names = (key: string) => {
    const found = isMap(contents) ? contents.get(key) : undefined
    return isMap(found) ? found.items.map((item) => String(item.key)) : undefined
  }
  return { services: names('services'), secrets: names('secrets') }
}
