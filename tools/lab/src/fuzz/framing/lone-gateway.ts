import { type HttpServer, listen } from '@taproom/service'
import { createGateway } from '@taproom/start/gateway'
import { APPS } from '../../harness/apps.ts'

/** Each of the kinds of routes: of one path, of all below one, and of those whose prefix is taken off. */
const PATHS = {
  '/secure/claim': APPS.claims,
  '/movie': APPS.films,
  '/beer/*': APPS.stream,
  '/brokers/*': APPS.events,
  '/sinks/*': APPS.events,
}

/** The gateway of `pnpm start` on a port, with one backend behind all its routes. */
export function startLoneGateway(port: number, backend: number): Promise<HttpServer> {
  const gateway = createGateway({
    title: 'fuzz',
    services: [],
    paths: PATHS,
    portOf: () => backend,
    healthRootPath: '/q/health',
    hasPages: false,
    home: () => ({ title: 'fuzz', url: '', links: {}, resourceApi: '', tryLines: [] }),
  })
  return listen(gateway.handle, { host: '127.0.0.1', port, drainMs: 0 })
}
