export type { RemoteBeer } from './beer-catalogue.ts'
export { startBeerStandin } from './beer-standin.ts'
export { startFilmStandin } from './film-standin.ts'
export type { Standin } from './standin-server.ts'
