import type { SystemFacts } from '@taproom/start/control'

/** True for a process that speaks Kafka at its port, and no HTTP. */
export function isKafkaPort(
  port: number | undefined,
  { bootstrapServers = '' }: Pick<SystemFacts, 'bootstrapServers'>,
): boolean {
  return port !== undefined && bootstrapServers.split(',').some((server) => server.trim().endsWith(`:${port}`))
}
