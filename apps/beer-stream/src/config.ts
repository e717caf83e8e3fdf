import { readIncoming } from '@taproom/messaging'
import { type Env, kernelConfig, parseEnv } from '@taproom/service'

export type Config = ReturnType<typeof readConfig>

/** @throws {ConfigError} listing every invalid variable */
export function readConfig(env: Env) {
  return parseEnv(env, (read) => {
    const kernel = kernelConfig(read)
    const ms = (name: string, defaultMs: number, min: number) =>
      read.integer(name, { default: defaultMs, min, max: 3_600_000 })
    return {
      ...kernel,
      pricedBeers: readIncoming(read, {
        channel: 'priced-beer',
        failureStrategy: 'ignore',
        mode: kernel.mode,
        fixed: ['group.id', 'auto.offset.reset', 'failure-strategy', 'dead-letter-queue.topic'],
      }),
      beerService: { url: read.url('BEER_SERVICE_URL'), timeoutMs: ms('BEER_SERVICE_TIMEOUT_MS', 5000, 1) },
      itemWaitMs: ms('BEER_ITEM_WAIT_MS', 1000, 1) + ms('BEER_ITEM_WAIT_GRACE_MS', 250, 0),
    }
  })
}
