import { circuitBreakerCheck, createHealth, databaseCheck, healthRoutes, processCheck } from '@taproom/health'
import { authenticate, createJwtVerifier, requireScope } from '@taproom/jwt'
import { openApiRoutes } from '@taproom/openapi'
import { openInbox } from '@taproom/outbox'
import { reportMetrics } from '@taproom/resilience'
import {
  assemble,
  byTag,
  createHttpApp,
  createMetrics,
  forManagement,
  listen,
  reportRefusals,
  type ServiceContext,
} from '@taproom/service'
import type { Config } from './config.ts'
import { openTemplateAppDatabase } from './database.ts'
import { openTemplateAppInbox } from './inbox.ts'
import { openTemplateAppIncoming } from './incoming.ts'
import { openTemplateAppOutbox } from './outbox.ts'
import { openTemplateAppOutgoing } from './outgoing.ts'
import { ownCheck } from './own-check.ts'
import { createRemote } from './remote.ts'
import { describeTemplateApp } from './template-app-description.ts'
import { templateAppRoutes } from './template-app-routes.ts'
// begin resource
import { describeTemplateItem } from './template-item-description.ts'
import { templateItemRoutes } from './template-item-routes.ts'
import { createTemplateItemStore } from './template-item-store.ts'
// end
import { openTemplateAppTransform } from './transform.ts'

/** The parts of template-app. */
export const startTemplateApp = ({ config, log, shutdown }: ServiceContext<Config>) =>
  assemble(async (use) => {
    // begin database
    const database = use(openTemplateAppDatabase({ ...config, log }))
    // end
    // begin outbox
    const outbox = use(openTemplateAppOutbox(config.outgoing, database, log))
    // end
    // begin resource
    const store = createTemplateItemStore(database, /* begin outbox */ outbox /* end */)
    // end
    // begin remote
    const remote = use(createRemote({ ...config.remote, log, shutdown }))
    // end
    // begin jwt
    const verifier = use(await createJwtVerifier({ ...config.jwt.verifier, log }))
    const onRefusal = reportRefusals(log, config.http.trustedProxies)
    const [scope, ...scopes] = config.jwt.scopes
    const authenticated = [
      authenticate(verifier, { ...config.jwt.token, onRefusal }),
      ...(scope === undefined ? [] : [requireScope(scope, ...scopes)]),
    ]
    // end
    // begin channel
    const outgoing = use(openTemplateAppOutgoing(config.outgoing, log))
    // end
    // begin transform
    const transform = use(openTemplateAppTransform(config.transform, log))
    // end
    // begin reader
    const incoming = use(openTemplateAppIncoming(config.incoming, log))
    // end
    // begin inbox
    const inbox = use(openInbox({ consumer: 'template-app', database, log }))
    const received = use(openTemplateAppInbox(config.incoming, { database, inbox, log }))
    // end

    const health = createHealth({
      // begin incoming|transform
      liveness: [
        // begin reader
        incoming.liveness,
        // end
        // begin inbox
        received.liveness,
        // end
        // begin transform
        transform.liveness,
        // end
      ],
      // end
      // begin jwt|database|incoming|outgoing|transform|health
      readiness: [
        // begin jwt
        verifier.check,
        // end
        // begin database
        databaseCheck({ '<default>': () => database.ping() }),
        // end
        // begin outbox
        outbox.check,
        // end
        // begin channel
        outgoing.check,
        // end
        // begin transform
        transform.check,
        // end
        // begin reader
        incoming.check,
        // end
        // begin inbox
        received.check,
        // end
        // begin health
        ownCheck,
        // end
      ],
      // end
      wellness: [
        // begin remote
        circuitBreakerCheck('template-app-remote circuit breaker', remote.circuitBreaker),
        // end
        processCheck(),
      ],
      shutdown,
    })
    const metrics = createMetrics({ health })
    // begin remote
    reportMetrics(remote.guard, metrics)
    // end
    // begin outgoing
    const written = { type: 'counter', help: 'Messages to template-app-out, by what became of them.' } as const
    // end
    // begin channel
    metrics.watch('template_app_out_total', written, () => byTag('result', { ...outgoing.counters }))
    // end
    // begin outbox
    metrics.watch('template_app_out_total', written, () => byTag('result', { ...outbox.counters }))
    // end

    const app = createHttpApp({
      log,
      metrics,
      routes: [
        // begin greeting
        templateAppRoutes(/* begin jwt */ { authenticated } /* end */),
        forManagement(openApiRoutes(describeTemplateApp(config.health))),
        // end
        // begin resource
        templateItemRoutes({ /* begin jwt */ authenticated, /* end */ store }),
        forManagement(openApiRoutes(describeTemplateItem(config.health))),
        // end
        forManagement(healthRoutes(health, config.health)),
        forManagement(metrics.routes),
      ],
    })
    return use(await listen(app, config.http))
  })
