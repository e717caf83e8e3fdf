import { createHealth, healthRoutes } from '@taproom/health'
import { createHttpApp, createLogger, createMetrics, listen } from '@taproom/service'
import type { Router } from 'express'
import { writeReady } from '../harness/server-process.ts'

/** Serves routes as a service does: in an express app of the kernel, with health, metrics and a log. */
export async function serveAsApp(name: string, routes: Router): Promise<void> {
  const health = createHealth()
  const metrics = createMetrics({ health })
  const log = createLogger(name, { level: 'info' })
  const app = createHttpApp({ log, metrics, routes: [routes, healthRoutes(health), metrics.routes] })
  const { port } = await listen(app, { host: '127.0.0.1', port: 0 })
  writeReady(port)
}
