import { runService } from '@taproom/service'
import { readConfig } from './config.ts'
import { startSchemaRegistry } from './schema-registry.ts'

void runService('schema-registry', readConfig, ({ config, log }) => {
  const { host, port, ...http } = config.http
  return startSchemaRegistry({
    ...config.kafka,
    topic: config.topic,
    allowedHosts: config.allowedHosts,
    host,
    port,
    http,
    log,
  })
})
