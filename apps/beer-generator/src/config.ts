import { readOutgoing } from '@taproom/messaging'
import { type Env, kernelConfig, parseEnv } from '@taproom/service'

export type Config = ReturnType<typeof readConfig>

/** @throws {ConfigError} listing every invalid variable */
export function readConfig(env: Env) {
  return parseEnv(env, (read) => {
    const kernel = kernelConfig(read)
    return {
      ...kernel,
      beers: readOutgoing(read, {
        channel: 'beers',
        topic: 'beer',
        overflow: 'drop',
        fixed: ['overflow'],
        mode: kernel.mode,
      }),
      beerService: {
        url: read.url('BEER_SERVICE_URL'),
        timeoutMs: read.integer('BEER_SERVICE_TIMEOUT_MS', { default: 5000, min: 1, max: 600_000 }),
      },
      listSize: read.integer('BEER_LIST_SIZE', { default: 10, min: 1, max: 10_000 }),
      intervalMs: read.integer('BEER_INTERVAL_MS', { default: 1000, min: 1, max: 86_400_000 }),
    }
  })
}
