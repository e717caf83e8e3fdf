import { type ParsedManifest, parseManifests } from './parse-manifests.ts'
import { createYamlThread, YamlBoundsError, type YamlThread } from './yaml-thread.ts'

/** Characters that are parsed in some ten milliseconds at most: a thread for them would take longer to start. */
const MOST_AT_ONCE = 16_384

/** Reads a file of manifests, see {@link parseManifests}: a large one in a thread of its own, so that it holds nobody up. Never rejects. */
export type ManifestReader = (file: string, text: string) => Promise<ParsedManifest>

/** Makes what reads files of manifests. */
export function createManifestReader(): ManifestReader {
  let thread: YamlThread | undefined
  return async (file, text) => {
    if (text.length <= MOST_AT_ONCE) return parseManifests(file, text)
    thread ??= createYamlThread()
    try {
      return await thread.manifests(file, text)
    } catch (error) {
      if (!(error instanceof YamlBoundsError)) throw error
      return { file, documents: [], problem: { file, line: 1, field: '(yaml)', rule: error.message } }
    }
  }
}
