/** The whole system: what runs, what it needs, what it serves. `pnpm start` runs it as it stands here. */
import { defineSystem, eventPlatform, kafka } from '@taproom/system'

export const system = defineSystem({
  name: 'template-app',
  apps: {
    'event-platform': eventPlatform(kafka),
  },
  sinks: {},

  // Printed when all is ready.
  tryIt: (url) => [
    `curl ${url}/hello`,
    `curl ${url}/q/health`,
    `curl ${url}/q/openapi`,
    `curl -i -X POST ${url}/brokers/default/default -H 'Content-Type: application/json' -H 'Ce-Id: 1' -H 'Ce-Specversion: 1.0' -H 'Ce-Type: greeting' -H 'Ce-Source: terminal' -d '{"message":"hello"}'`,
  ],
})
