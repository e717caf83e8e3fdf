import { readTransform } from '@taproom/messaging'
import { type Env, kernelConfig, parseEnv } from '@taproom/service'

export type Config = ReturnType<typeof readConfig>

/** @throws {ConfigError} listing every invalid variable */
export function readConfig(env: Env) {
  return parseEnv(env, (read) => {
    const kernel = kernelConfig(read)
    const amount = (name: string, defaultAmount: string) =>
      read.custom(name, { default: defaultAmount, expected: 'an amount such as 12.50', parse: toAmount })
    const prices = { min: amount('PRICE_MIN', '1.00'), max: amount('PRICE_MAX', '20.00') }
    if (prices.min > prices.max) read.problem('PRICE_MIN', `must not exceed PRICE_MAX (${prices.max})`)
    const { input: beers, output: pricedBeers } = readTransform(read, {
      input: {
        channel: 'beers',
        topic: 'beer',
        groupId: 'price-generator',
        failureStrategy: 'ignore',
        fixed: ['failure-strategy', 'dead-letter-queue.topic'],
      },
      output: { channel: 'priced-beer' },
      mode: kernel.mode,
    })
    return { ...kernel, beers, pricedBeers, prices }
  })
}

function toAmount(text: string): number {
  if (!/^\d{1,12}(\.\d{1,2})?$/.test(text)) throw new RangeError('not an amount in whole cents')
  return Number(text)
}
