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
