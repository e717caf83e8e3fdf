import { type Env, type KernelConfig, kernelConfig, parseEnv } from '@taproom/service'

/** What a stand-in reads from its environment. */
export interface StandinConfig extends KernelConfig {
  /** `FILM_STANDIN_DATA`: file with the films to answer; unset means the shipped catalogue. */
  readonly filmData: string | undefined
  /** `BEER_STANDIN_DATA`: file with the beers to answer; unset means the shipped catalogue. */
  readonly beerData: string | undefined
}

/** @throws ConfigError naming every invalid variable */
export function readStandinConfig(env: Env): StandinConfig {
  return parseEnv(env, (read) => ({
    ...kernelConfig(read),
    filmData: read.optionalString('FILM_STANDIN_DATA'),
    beerData: read.optionalString('BEER_STANDIN_DATA'),
  }))
}
