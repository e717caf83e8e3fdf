import type { TopicConfig } from '../../topics/topic-config.ts'

export function givenConfig(configs: readonly { readonly name: string; readonly value: string | null }[]): TopicConfig {
  return Object.fromEntries(configs.flatMap(({ name, value }) => (value === null ? [] : [[name, value]])))
}
