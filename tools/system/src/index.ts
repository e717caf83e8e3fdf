export {
  type App,
  defineSystem,
  developmentIssuerOf,
  type Need,
  needsOf,
  PLATFORM,
  type Place,
  platformOf,
  type StandIn,
  type System,
  type SystemDescription,
  type Variables,
  variableOf,
} from './define-system.ts'
export { appOfImage, type ImageName, parseImageName } from './environments/app-of-image.ts'
export { type ContainerEnvironment, containerEnvironment, type FindData } from './environments/container-environment.ts'
export { eventPlatform } from './event-platform.ts'
export { writeManifests } from './generate/differing-files.ts'
export { generate } from './generate/generate.ts'
export { withoutRegions } from './generate/regions.ts'
export { isWritten } from './generate/written.ts'
export { type WrittenFile, writtenFiles } from './generate/written-files.ts'
export { type ImageDescription, imagesOf } from './images.ts'
export { backingService, remoteService } from './needs.ts'
export { SINKS_IMAGE, type Sink, type SinkDelivery, type SinkFilter, type SinkTrigger } from './sink.ts'
export { broker, database, issuer, kafka, type TokenIssuerOptions, tokenIssuer } from './usual-needs.ts'
export { RESERVED_NAMES } from './wrong-names.ts'
