export type { RemoteBeer } from './standins/beer-catalogue.ts'
export { startBeerStandin } from './standins/beer-standin.ts'
export { startFilmStandin } from './standins/film-standin.ts'
export type { Standin } from './standins/standin-server.ts'
