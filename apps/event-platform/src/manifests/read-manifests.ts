import { type ParsedManifest, parseManifests } from './parse-manifests.ts'
import { createYamlThread, YamlBoundsError, type YamlThread } from './yaml-thread.ts'

/** Characters parsed within some ten milliseconds: a thread would take longer to start. */
const MOST_AT_ONCE = 16_384

/** Like {@link parseManifests}, with a thread of its own for large files. Never rejects. */
export function createManifestReader() {
  let thread: YamlThread | undefined
  return async (file: string, text: string): Promise<ParsedManifest> => {
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
