import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '@taproom/core/lines'

/** Where Confluent's image expects the files that these variables name. */
const SECRETS = '/etc/kafka/secrets'

interface Stores {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The variables that replace others, with these. */
  readonly names: ReadonlyMap<string, string>
}

/**
 * Replaces the variables of Confluent's image for stores and for files with their passwords, `KAFKA_SSL_KEYSTORE_FILENAME`,
 * `KAFKA_SSL_KEY_CREDENTIALS` and so on, by those of Apache Kafka's properties, as the image does it when it starts.
 */
export function withConfluentStores(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
  { folder = SECRETS }: { readonly folder?: string } = {},
): Stores {
  const replaced: Record<string, string | undefined> = { ...env }
  const names = new Map<string, string>()
  const replace = (from: string, to: string, resolve: (file: string) => string | undefined): void => {
    const given = env[from]
    if (!given) return
    delete replaced[from]
    replaced[to] = resolve(given)
    names.set(to, from)
  }
  for (const store of ['KEYSTORE', 'TRUSTSTORE']) {
    replace(`KAFKA_SSL_${store}_FILENAME`, `KAFKA_SSL_${store}_LOCATION`, (file) => join(folder, file))
  }
  for (const part of ['KEYSTORE', 'TRUSTSTORE', 'KEY']) {
    const name = `KAFKA_SSL_${part}_CREDENTIALS`
    replace(name, `KAFKA_SSL_${part}_PASSWORD`, (file) => {
      try {
        return readFileSync(join(folder, file), 'utf8').trimEnd()
      } catch (error) {
        problems.push(`${name} must name a file in ${folder} that can be read; got "${file}": ${reasonOf(error)}`)
        return undefined
      }
    })
  }
  return { env: replaced, names }
}
