/** A whole service in the shape every app has; `GET /slow` answers after 300 ms, `GET /hang` never, and `GET /killed` dies right after its last log line. */
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { Router } from 'express'
import { createHttpApp, createLogger, fatal, kernelConfig, listen, parseEnv, shutdownSignal } from '../src/index.ts'

async function main() {
  const config = parseEnv(process.env, kernelConfig)
  const log = createLogger('demo', config.log)
  const shutdown = shutdownSignal(log, config.graceMs)
  const routes = Router()
  routes.get('/slow', async (_req, res) => {
    await setTimeout(300)
    res.end('done')
  })
  routes.get('/hang', (_req, res) => void res.write('x'))
  routes.get('/killed', () => {
    for (let i = 0; i < 5; i += 1) log.info({ i }, 'written')
    process.kill(process.pid, 'SIGKILL')
  })
  routes.get('/throw', () => setImmediate(() => Promise.reject(new Error('nobody listens'))))

  await using _slowToClose = { [Symbol.asyncDispose]: () => setTimeout(Number(process.env['DEMO_CLOSE_MS'] ?? 0)) }
  await using server = await listen(createHttpApp({ log, routes: [routes] }), config.http)
  log.info({ port: server.port, token: 'abc' }, 'demo ready')
  if (!shutdown.aborted) await once(shutdown, 'abort')
}

main().catch((error: unknown) => {
  fatal('demo failed to start', error)
  process.exitCode = 1
})
