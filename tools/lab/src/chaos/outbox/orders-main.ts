import { constraintViolation, readDatabase } from '@taproom/database'
import { readOutgoing } from '@taproom/messaging'
import {
  assemble,
  createHttpApp,
  type Env,
  HttpProblem,
  kernelConfig,
  listen,
  parseEnv,
  runService,
  type ServiceContext,
} from '@taproom/service'
import { Router } from 'express'
import { openShop, WrongOrderError } from './shop.ts'

const readConfig = (env: Env) =>
  parseEnv(env, (read) => {
    const kernel = kernelConfig(read)
    const database = readDatabase(read, { file: 'orders.sqlite' })
    return { ...kernel, ...database, outgoing: readOutgoing(read, { channel: 'orders', mode: kernel.mode }) }
  })

/** `PUT /customers/{customer}/orders/{id}`: 201, 200 when it is there already, 422 when it is `?wrong`. */
const startOrders = ({ config, log }: ServiceContext<ReturnType<typeof readConfig>>) =>
  assemble(async (use) => {
    const shop = use(openShop({ ...config.outgoing, database: config.database }, log))
    const routes = Router().put('/customers/:customer/orders/:id', async (req, res) => {
      const status = await shop.order({ ...req.params, isWrong: 'wrong' in req.query }).then(() => 201, statusOf)
      res.sendStatus(status)
    })
    return use(await listen(createHttpApp({ log, routes: [routes] }), config.http))
  })

function statusOf(cause: unknown): number {
  if (constraintViolation(cause) === 'unique') return 200
  if (cause instanceof WrongOrderError) throw new HttpProblem(422, { detail: cause.message, cause })
  throw cause
}

void runService('orders', readConfig, startOrders)
