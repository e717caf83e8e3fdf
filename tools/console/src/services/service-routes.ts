import { sendJson } from '@taproom/http'
import type { ControlAction, SystemFacts } from '@taproom/start/control'
import type { SystemView } from '../api/system.ts'
import { sendView } from '../http/live.ts'
import type { Asked, Routes } from '../http/route.ts'
import type { Control } from './control.ts'
import type { ReadHealth } from './health-report.ts'
import type { SystemWatch } from './system-watch.ts'

/** How often live answers read CPU and memory again. */
const USAGE_MS = 2000

export interface ServiceDeps {
  readonly control: Control
  readonly watch: SystemWatch
  readonly health: ReadHealth
}

/** The processes of the system, and actions on them. */
export function serviceRoutes({ control, watch, health }: ServiceDeps): Routes {
  const services = async () => ({ items: await watch.services() })

  const act =
    (action: ControlAction) =>
    async ({ request, response, params }: Asked): Promise<void> => {
      request.resume()
      const { name = '' } = params
      await control.act(name, action)
      // The state after the action.
      const service = (await control.services()).find((one) => one.name === name)
      sendJson(response, 200, service ?? {})
    }

  return {
    'GET /api/system': async ({ response }) => sendJson(response, 200, systemView(await control.system())),
    'GET /api/services': (asked) =>
      sendView(asked, { read: services, watch: (changed) => watch.watch(changed), everyMs: USAGE_MS }),
    'POST /api/services/{name}/start': act('start'),
    'POST /api/services/{name}/stop': act('stop'),
    'POST /api/services/{name}/restart': act('restart'),
    'POST /api/services/{name}/kill': act('kill'),
    'GET /api/services/{name}/configuration': async ({ response, params }) =>
      sendJson(response, 200, { items: await control.configuration(params['name'] ?? '') }),
    'GET /api/health': async ({ response, signal }) => sendJson(response, 200, await health(signal)),
  }
}

function systemView({
  name,
  url,
  healthRootPath,
  resourceApi,
  bootstrapServers,
  keys,
  issuers,
  tracesSetBy,
  apps,
}: SystemFacts): SystemView {
  return {
    name,
    url,
    healthRootPath,
    apps,
    ...(resourceApi !== undefined && { resourceApi }),
    ...(bootstrapServers !== undefined && { bootstrapServers }),
    ...(tracesSetBy !== undefined && { tracesSetBy }),
    ...(keys !== undefined && issuers[0] !== undefined && { issuer: issuers[0] }),
  }
}
