import { PARSER_SURFACES } from './parsers/parser-surfaces.ts'
import type { OpenServers } from './servers/server-target.ts'
import {
  openAlohaSink,
  openBeerGenerator,
  openBeerStream,
  openBonjourSink,
  openClaimApi,
  openMovieApi,
  openPriceGenerator,
} from './surfaces/apps.ts'
import { openGateway } from './surfaces/gateway.ts'
import { openConsumer, openKafka } from './surfaces/kafka.ts'
import { openBroker, openResources, openSinks } from './surfaces/platform.ts'

export const SERVER_SURFACES: Readonly<Record<string, OpenServers>> = {
  'claim-api': openClaimApi,
  'movie-api': openMovieApi,
  'beer-stream': openBeerStream,
  'beer-generator': openBeerGenerator,
  'price-generator': openPriceGenerator,
  'aloha-sink': openAlohaSink,
  'bonjour-sink': openBonjourSink,
  broker: openBroker,
  sinks: openSinks,
  resources: openResources,
  gateway: openGateway,
  kafka: openKafka,
  consumer: openConsumer,
}

/** Names of all surfaces, in the order of a run. */
export const SURFACES: readonly string[] = [...Object.keys(PARSER_SURFACES), ...Object.keys(SERVER_SURFACES)]
