import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import type { TopicConfig } from '../../settings/topic-settings.ts'

type Given = readonly { readonly name: string; readonly value: string | null }[]

/**
 * The settings that a request gives.
 * @throws {ProtocolError} `withoutValue` when one has no value
 */
export function givenConfig(configs: Given, withoutValue: (name: string) => ProtocolError = nullRefused): TopicConfig {
  return Object.fromEntries(
    configs.map(({ name, value }) => {
      if (value === null) throw withoutValue(name)
      return [name, value]
    }),
  )
}

/** For requests that change settings. */
export function nullRefused(name: string): ProtocolError {
  return new ProtocolError(ErrorCode.INVALID_REQUEST, `Null value not supported for : ${name}`)
}

/** For requests that create topics. */
export function nullRefusedForTopic(name: string): ProtocolError {
  return new ProtocolError(ErrorCode.INVALID_CONFIG, `Null value not supported for topic configs: ${name}`)
}

/** @throws {ProtocolError} INVALID_REQUEST when a name is there twice */
export function checkOnce(configs: readonly { readonly name: string }[]): void {
  const seen = new Set<string>()
  for (const { name } of configs) {
    if (seen.has(name)) throw new ProtocolError(ErrorCode.INVALID_REQUEST, 'Error due to duplicate config keys')
    seen.add(name)
  }
}
