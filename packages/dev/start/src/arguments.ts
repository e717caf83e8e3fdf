import { parseArgs } from 'node:util'
import { reasonOf } from '@taproom/lines'
import { ConfigError } from '@taproom/service'

/** The command line of `pnpm start`. */
export const START_USAGE = `usage: pnpm start [--fresh]

Runs the whole system until Ctrl-C.

  --fresh  forget keys, database, resources and Kafka log of earlier runs
  --help   print this

Variables such as PORT (8080), KUBE_PORT (8001), KAFKA_PORT (9092) and TAPROOM_STATE_DIR (.taproom): packages/dev/start/README.md
`

/** @throws {ConfigError} when an argument does not exist */
export function readArguments(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const
  try {
    return parseArgs({ args: [...args], options: { fresh: flag, help: { ...flag, short: 'h' } } }).values
  } catch (error) {
    throw new ConfigError([`${reasonOf(error)}; usage: pnpm start [--fresh]`])
  }
}
