import { assemble, listen, type RunningService, type ServiceContext } from '@taproom/service'
import { consolePage } from './bundle/page-files.ts'
import type { ConsoleConfig } from './config.ts'
import { createConsole } from './console.ts'
import { eventRoutes } from './eventing/event-routes.ts'
import { EventingWatch } from './eventing/eventing-watch.ts'
import { faultRoutes } from './faults/fault-routes.ts'
import type { Routes } from './http/route.ts'
import { createKafkaArea } from './kafka/kafka-area.ts'
import { kafkaRoutes } from './kafka/kafka-routes.ts'
import { followLogs } from './logs/follow-logs.ts'
import { logRoutes } from './logs/log-routes.ts'
import { createLogStore } from './logs/log-store.ts'
import { Attention } from './metrics/attention.ts'
import { MetricsReader } from './metrics/metrics-reader.ts'
import { metricsRoutes } from './metrics/metrics-routes.ts'
import { breakerRoutes } from './picture/breaker-routes.ts'
import { createBreakers } from './picture/breakers.ts'
import { GuardSpans } from './picture/guard-spans.ts'
import { createOverview } from './picture/overview.ts'
import { pictureRoutes } from './picture/picture-routes.ts'
import { Traffic } from './picture/traffic.ts'
import { requestRoutes } from './requests/request-routes.ts'
import { createTokens } from './requests/tokens.ts'
import { createControl } from './services/control.ts'
import { createHealthReader } from './services/health-report.ts'
import { serviceRoutes } from './services/service-routes.ts'
import { createSystemWatch } from './services/system-watch.ts'
import { sinkRoutes } from './sinks/sink-routes.ts'
import { traceRoutes } from './traces/trace-routes.ts'
import { TraceStore } from './traces/trace-store.ts'
import { createVerdicts } from './verdicts/collect.ts'
import { verdictRoutes } from './verdicts/verdict-routes.ts'

/** The time that live answers have to end. */
const DRAIN_MS = 500
const HOST = '127.0.0.1'

/** Changes of state come at once; how ready services are is not asked more often than in the view of services. */
const SERVICES_AGE_MS = 1900
/** A Kafka that answers later counts as away while a service waits for it. */
const KAFKA_MS = 1500
/** Each page has a few live answers, each process that sends spans a connection. */
const MAX_CONNECTIONS = 500

/** Starts the console: every area of its API, and the page. */
export function startConsole({ config, log, shutdown }: ServiceContext<ConsoleConfig>): Promise<RunningService> {
  return assemble(async (use) => {
    const control = createControl(config.controlSocket)
    const logs = createLogStore()
    void followLogs(control, logs, shutdown)
    const traces = new TraceStore()
    const facts = await control.system()
    const watch = createSystemWatch(control, facts)
    const services = () => watch.services(SERVICES_AGE_MS)
    const kafka = facts.bootstrapServers === undefined ? undefined : use(createKafkaArea({ ...config.kafka, log }))
    const eventing = use(new EventingWatch(facts.resourceApi))
    const attention = new Attention()
    const others = async () => (await services()).filter(({ kind }) => kind !== 'console')
    const reader = use(new MetricsReader({ services: others, system: control.system, attention }))
    const health = createHealthReader(facts.url)
    const breakers = createBreakers({ guards: use(new GuardSpans(traces)), health })
    const overview = createOverview({
      ...{ traffic: use(new Traffic(traces)), system: control.system, eventing, services, breakers, logs },
      ...(kafka && { lagOf: kafka.lagOf }),
    })
    const listTopics = kafka && (() => kafka.link.call((admin) => admin.listTopics(), KAFKA_MS))
    const verdicts = createVerdicts({
      ...{ system: control.system, services: () => watch.services(), health, picture: overview.read, logs },
      eventing: () => eventing.read(),
      askKafka: listTopics,
      topics: kafka && (() => kafka.topicUses()),
      traces,
    })
    const standIns = async () => (await control.services()).filter(({ kind }) => kind === 'stand-in')
    const routes: Routes = {
      ...serviceRoutes({ control, watch, health }),
      ...sinkRoutes({ facts, watch, eventing, logs }),
      ...verdictRoutes({ verdicts, listTopics }),
      ...logRoutes(logs),
      ...traceRoutes(traces),
      ...metricsRoutes(reader, attention),
      ...breakerRoutes(breakers),
      ...pictureRoutes(overview, { attention, watches: [watch, eventing] }),
      ...kafkaRoutes(kafka),
      ...eventRoutes({ gateway: facts.url, traces, kafka, eventing }),
      ...requestRoutes({ gateway: facts.url, traces, makeToken: createTokens(facts) }),
      ...faultRoutes({ standIns }),
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
