import { parseArgs } from 'node:util'
import { reasonOf } from '@taproom/core/lines'
import { ConfigError } from '@taproom/service'

const SYNTAX = 'usage: pnpm start [--fresh] [--no-watch] [--inspect NAME]…'

export const START_USAGE = `${SYNTAX}

Runs the whole system until Ctrl-C. A service whose sources change is restarted.

  --fresh         forget keys, database, resources and Kafka log of earlier runs
  --no-watch      leave services as they are when sources change
  --inspect NAME  open a port for a debugger of this service, on this machine only
  --help          print this

Variables such as PORT (8080), KUBE_PORT (8001), KAFKA_PORT (9092) and TAPROOM_STATE_DIR (.taproom): the README of @taproom/start
`

/** @throws {ConfigError} when an argument does not exist */
export function readArguments(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        fresh: flag,
        'no-watch': flag,
        inspect: { type: 'string', multiple: true, default: [] },
        help: { ...flag, short: 'h' },
      },
    })
    return values
  } catch (error) {
    throw new ConfigError([`${reasonOf(error)}; ${SYNTAX}`])
  }
}
