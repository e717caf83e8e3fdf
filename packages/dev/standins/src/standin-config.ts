import { type Env, type KernelConfig, kernelConfig, parseEnv } from '@taproom/service'
import { BEER_SHAPE } from './beer-catalogue.ts'
import { FILM_SHAPE } from './film-catalogue.ts'
import { readStandinFile } from './standin-data.ts'

export interface StandinConfig extends KernelConfig {
  /** `FILM_STANDIN_DATA`: file with the films to answer; unset means the shipped catalogue. */
  readonly filmData: string | undefined
  /** `BEER_STANDIN_DATA`: file with the beers to answer; unset means the shipped catalogue. */
  readonly beerData: string | undefined
}

/** @throws {ConfigError} when variables are invalid, naming all of them */
export function readStandinConfig(env: Env): StandinConfig {
  return parseEnv(env, (read) => ({
    ...kernelConfig(read),
    filmData: read.optionalString('FILM_STANDIN_DATA'),
    beerData: read.optionalString('BEER_STANDIN_DATA'),
  }))
}

/** The films of `FILM_STANDIN_DATA`. @throws {ConfigError} when they cannot be read or are not shaped as films */
export function readFilms({ filmData }: StandinConfig) {
  return readStandinFile({ variable: 'FILM_STANDIN_DATA', path: filmData, record: 'film', shape: FILM_SHAPE })
}

/** The beers of `BEER_STANDIN_DATA`. @throws {ConfigError} when they cannot be read or are not shaped as beers */
export function readBeers({ beerData }: StandinConfig) {
  return readStandinFile({ variable: 'BEER_STANDIN_DATA', path: beerData, record: 'beer', shape: BEER_SHAPE })
}
