import { PARSER_SURFACES } from './parsers/parser-surfaces.ts'
import type { OpenServers } from './servers/server-target.ts'
import { APP_SURFACES } from './surfaces/apps.ts'
import { openGateway } from './surfaces/gateway.ts'
import { openConsumer, openKafka } from './surfaces/kafka.ts'
import { PLATFORM_SURFACES } from './surfaces/platform.ts'

export const SERVER_SURFACES: Readonly<Record<string, OpenServers>> = {
  ...APP_SURFACES,
  ...PLATFORM_SURFACES,
  gateway: openGateway,
  kafka: openKafka,
  consumer: openConsumer,
}

/** Names of all surfaces, in the order of a run. */
export const SURFACES: readonly string[] = [...Object.keys(PARSER_SURFACES), ...Object.keys(SERVER_SURFACES)]
