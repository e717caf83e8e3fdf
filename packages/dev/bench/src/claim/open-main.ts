/** An express app as claim-api has it, whose `/secure/claim` asks for no token. */
import { createHealth, healthRoutes } from '@taproom/health'
import { methodNotAllowed } from '@taproom/http'
import { createHttpApp, createLogger, createMetrics, listen } from '@taproom/service'
import { Router } from 'express'
import { writeReady } from '../server-process.ts'

const USERNAME = 'user-1'
const routes = Router({ caseSensitive: true })
routes
  .route('/open')
  .get((_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': Buffer.byteLength(USERNAME) })
    res.end(USERNAME)
  })
  .all(methodNotAllowed('GET', 'HEAD'))
const health = createHealth()
const metrics = createMetrics({ health })
const log = createLogger('open', { level: 'info' })
const app = createHttpApp({ log, metrics, routes: [routes, healthRoutes(health), metrics.routes] })
const { port } = await listen(app, { host: '127.0.0.1', port: 0 })
writeReady(port)
