import type { TopicConfig } from '../../topics/topic-config.ts'

/** The settings in a request; null means the default. */
export function givenConfig(configs: readonly { readonly name: string; readonly value: string | null }[]): TopicConfig {
  return Object.fromEntries(configs.flatMap(({ name, value }) => (value === null ? [] : [[name, value]])))
}
