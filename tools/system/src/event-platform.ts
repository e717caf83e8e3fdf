import type { App, Need } from './app.ts'

/** The name of the event platform where apps or sinks need the broker. */
export const PLATFORM = 'event-platform'

/** Brokers, triggers and sinks under `pnpm start`; on a cluster Knative takes its place. */
export function eventPlatform(kafka: Need): App {
  return {
    main: '@taproom/event-platform/main',
    description: 'a local Knative: brokers, triggers, delivery, sinks scaled from and to zero',
    serves: ['/brokers/*', '/sinks/*'],
    needs: [kafka],
    env: ({ given, kept, brings }) => ({
      // The broker of `pnpm start` allows shorter sessions than Kafka does by default: triggers go on sooner after a kill.
      ...(brings(kafka) && { KAFKA_SESSION_TIMEOUT_MS: given['KAFKA_SESSION_TIMEOUT_MS'] || '3000' }),
      RESOURCES_FILE: given['RESOURCES_FILE'] || kept('resources.json'),
    }),
    keeps: ['resources.json', 'kube-token', 'oidc-key.pem'],
    compose: { volumes: ['./knative:/app/deploy/knative:ro'], tmpfs: ['/tmp'] },
  }
}
