/** A whole service in the shape every app has; `GET /slow` ends its answer after 300 ms, `GET /hang` never, `GET /retry` begins what goes on after the end, and `GET /killed` dies right after its last log line. */
import { setTimeout } from 'node:timers/promises'
import { Router } from 'express'
import {
  assemble,
  createHttpApp,
  type Env,
  forManagement,
  type KernelConfig,
  kernelConfig,
  listen,
  parseEnv,
  runService,
  type ServiceContext,
} from '../src/index.ts'

const readConfig = (env: Env) => parseEnv(env, kernelConfig)

const startDemo = ({ config, log }: ServiceContext<KernelConfig>) =>
  assemble(async (use) => {
    const routes = Router()
    routes.get('/slow', async (_req, res) => {
      res.write('do')
      await setTimeout(300)
      res.end('ne')
    })
    routes.get('/hang', (_req, res) => void res.write('x'))
    routes.get('/retry', (_req, res) => {
      setInterval(() => undefined, 1000)
      res.end()
    })
    routes.get('/killed', () => {
      for (let i = 0; i < 5; i += 1) log.info({ i }, 'written')
      process.kill(process.pid, 'SIGKILL')
    })
    routes.get('/throw', () => setImmediate(() => Promise.reject(new Error('nobody listens'))))

    use({ [Symbol.asyncDispose]: () => setTimeout(Number(process.env['DEMO_CLOSE_MS'] ?? 0)) })
    const health = forManagement((req, res, next) => (req.url === '/q/health' ? res.end('up') : next()))
    const server = use(await listen(createHttpApp({ log, routes: [health, routes] }), config.http))
    return { ...server, details: { token: 'abc' } }
  })

void runService('demo', readConfig, startDemo)
