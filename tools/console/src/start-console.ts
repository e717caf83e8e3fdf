import { assemble, listen, type RunningService, type ServiceContext, type Use } from '@taproom/service'
import type { SystemFacts } from '@taproom/start/control'
import { consolePage } from './bundle/page-files.ts'
import type { ConsoleConfig } from './config.ts'
import { createConsole } from './console.ts'
import { eventRoutes } from './eventing/event-routes.ts'
import { EventingWatch } from './eventing/eventing-watch.ts'
import { faultRoutes } from './faults/fault-routes.ts'
import type { Routes } from './http/route.ts'
import { createKafkaArea, type KafkaArea } from './kafka/kafka-area.ts'
import { kafkaRoutes } from './kafka/kafka-routes.ts'
import { followLogs } from './logs/follow-logs.ts'
import { logRoutes } from './logs/log-routes.ts'
import { createLogStore } from './logs/log-store.ts'
import { Attention } from './metrics/attention.ts'
import { MetricsReader } from './metrics/metrics-reader.ts'
import { metricsRoutes } from './metrics/metrics-routes.ts'
import { createOverview } from './picture/overview.ts'
import { pictureRoutes } from './picture/picture-routes.ts'
import { Traffic } from './picture/traffic.ts'
import { requestRoutes } from './requests/request-routes.ts'
import { createTokens } from './requests/tokens.ts'
import { type Control, createControl } from './services/control.ts'
import { serviceRoutes } from './services/service-routes.ts'
import { createSystemWatch, type SystemWatch } from './services/system-watch.ts'
import { traceRoutes } from './traces/trace-routes.ts'
import { TraceStore } from './traces/trace-store.ts'

/** The time that live answers have to end. */
const DRAIN_MS = 500
const HOST = '127.0.0.1'

/** Starts the console: every area of its API, and the page. */
export function startConsole({ config, log, shutdown }: ServiceContext<ConsoleConfig>): Promise<RunningService> {
  return assemble(async (use) => {
    const control = createControl(config.controlSocket)
    const watch = createSystemWatch(control)
    const logs = createLogStore()
    void followLogs(control, logs, shutdown)
    const traces = new TraceStore()
    const facts = await control.system()
    const kafka = facts.bootstrapServers === undefined ? undefined : use(createKafkaArea({ ...config.kafka, log }))
    const eventing = use(new EventingWatch(facts.resourceApi))
    const routes: Routes = {
      ...serviceRoutes({ control, watch }),
      ...logRoutes(logs),
      ...telemetryRoutes({ control, watch, traces, kafka, eventing, use }),
      ...drivingRoutes({ control, facts, traces, kafka, eventing }),
    }
    const app = createConsole({ session: config.session, log, shutdown, routes, page: consolePage })
    const { port } = use(
      await listen(app, {
        host: HOST,
        port: config.port,
        variables: { port: 'CONSOLE_PORT', host: 'HOST' },
        drainMs: DRAIN_MS,
        maxConnections: MAX_CONNECTIONS,
      }),
    )
    return { port }
  })
}

interface TelemetryDeps {
  readonly control: Control
  readonly watch: SystemWatch
  readonly traces: TraceStore
  /** Undefined in a system without Kafka. */
  readonly kafka: KafkaArea | undefined
  readonly eventing: EventingWatch
  readonly use: Use
}

/** Traces, metrics, and the picture that is made of them. */
function telemetryRoutes({ control, watch, traces, kafka, eventing, use }: TelemetryDeps): Routes {
  // Changes of state are told at once; how ready services are is not asked more often than in the view of services.
  const services = () => watch.services(SERVICES_AGE_MS)
  const traffic = use(new Traffic(traces))
  const attention = new Attention()
  const others = async () => (await services()).filter(({ kind }) => kind !== 'console')
  const reader = use(new MetricsReader({ services: others, system: () => control.system(), attention }))
  return {
    ...traceRoutes(traces),
    ...metricsRoutes(reader, attention),
    ...pictureRoutes(
      createOverview({
        traffic,
        system: () => control.system(),
        eventing,
        services,
        ...(kafka && { lagOf: kafka.lagOf }),
      }),
      { attention, watches: [watch, eventing] },
    ),
  }
}

interface DrivingDeps extends Omit<TelemetryDeps, 'watch' | 'use'> {
  readonly facts: SystemFacts
}

/** What is done to the system: records, events, requests, faults. */
function drivingRoutes({ control, facts, traces, kafka, eventing }: DrivingDeps): Routes {
  const { url: gateway } = facts
  return {
    ...kafkaRoutes(kafka),
    ...eventRoutes({ gateway, traces, kafka, eventing }),
    ...requestRoutes({ gateway, traces, makeToken: createTokens(facts) }),
    ...faultRoutes({
      standIns: async () => (await control.services()).filter(({ kind }) => kind === 'stand-in'),
    }),
  }
}

const SERVICES_AGE_MS = 1900
/** Each page has a few live answers, each process that sends spans a connection. */
const MAX_CONNECTIONS = 500
