import { parseArgs } from 'node:util'
import { ConfigError } from '@taproom/service'

/** What `pnpm start` was asked for. */
export interface StartArguments {
  /** `--fresh`: forget keys, database and Kafka log of earlier runs. */
  readonly fresh: boolean
}

/** @throws ConfigError for an argument that does not exist */
export function readArguments(args: readonly string[]): StartArguments {
  try {
    const { values } = parseArgs({ args: [...args], options: { fresh: { type: 'boolean', default: false } } })
    return { fresh: values.fresh }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError([`${reason}; usage: pnpm start [--fresh]`])
  }
}
