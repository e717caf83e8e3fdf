import { circuitBreakerCheck, createHealth, databaseCheck, healthRoutes, processCheck } from '@taproom/health'
import { authenticate, createJwtVerifier } from '@taproom/jwt'
import { openApiRoutes } from '@taproom/openapi'
import { reportMetrics } from '@taproom/resilience'
import {
  assemble,
  createHttpApp,
  createMetrics,
  forManagement,
  listen,
  reportRefusals,
  type ServiceContext,
} from '@taproom/service'
import { openCapitals } from './capitals.ts'
import type { Config } from './config.ts'
import { diskSpaceCheck } from './disk-space-check.ts'
import { openNotes } from './notes.ts'
import { openReceived } from './received.ts'
import { createRemote } from './remote.ts'
import { describeTemplateApp } from './template-app-description.ts'
import { templateAppRoutes } from './template-app-routes.ts'
// begin resource
import { describeTemplateItem } from './template-item-description.ts'
import { templateItemRoutes } from './template-item-routes.ts'
import { openTemplateItemStore } from './template-item-store.ts'
// end
import { openTicks, watchTicks } from './ticks.ts'

/** The parts of template-app. */
export const startTemplateApp = ({ config, log, shutdown }: ServiceContext<Config>) =>
  assemble(async (use) => {
    // begin notes
    const notes = use(openNotes({ ...config, log }))
    // end
    // begin resource
    const store = use(openTemplateItemStore({ ...config, log }))
    // end
    // begin remote
    const remote = use(createRemote({ ...config.remote, log, shutdown }))
    // end
    // begin jwt
    const verifier = use(await createJwtVerifier({ ...config.jwt.verifier, log }))
    const onRefusal = reportRefusals(log, config.http.trustedProxies)
    const authenticated = authenticate(verifier, { ...config.jwt.token, onRefusal })
    // end
    // begin outgoing
    const ticks = use(openTicks({ ...config, log }))
    // end
    // begin transform
    const capitals = use(openCapitals(config.capitals, log))
    // end
    // begin incoming
    const received = use(openReceived(config.received, log))
    // end

    const health = createHealth({
      // begin incoming|transform
      liveness: [
        // begin incoming
        received.liveness,
        // end
        // begin transform
        capitals.liveness,
        // end
      ],
      // end
      // begin jwt|database|incoming|outgoing|transform|health
      readiness: [
        // begin jwt
        verifier.check,
        // end
        // begin notes
        databaseCheck({ '<default>': () => notes.ping() }),
        // end
        // begin resource
        databaseCheck({ '<default>': () => store.ping() }),
        // end
        // begin outgoing
        ticks.check,
        // end
        // begin transform
        capitals.check,
        // end
        // begin incoming
        received.check,
        // end
        // begin health
        diskSpaceCheck(config.diskSpaceBytes),
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
    watchTicks(metrics, ticks)
    // end

    const app = createHttpApp({
      log,
      metrics,
      routes: [
        // begin greeting
        templateAppRoutes(
          /* begin jwt|notes|remote */ {
            // begin jwt
            authenticated,
            // end
            // begin notes
            notes,
            // end
            // begin remote
            remote,
            // end
          } /* end */,
        ),
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
