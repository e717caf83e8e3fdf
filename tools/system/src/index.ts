export type { App, Need, Place, StandIn, Variables } from './app.ts'
export {
  defineSystem,
  developmentIssuerOf,
  needsOf,
  platformOf,
  type System,
  type SystemDescription,
} from './define-system.ts'
export { appOfImage, type ImageName, parseImageName } from './environments/app-of-image.ts'
export { type ContainerEnvironment, containerEnvironment, type FindData } from './environments/container-environment.ts'
export type { ClusterObject } from './environments/kube-object.ts'
export { eventPlatform, PLATFORM } from './event-platform.ts'
export { writeManifests } from './generate/differing-files.ts'
export { generate } from './generate/generate.ts'
export { withoutRegions } from './generate/regions.ts'
export { isWritten } from './generate/written.ts'
export { type WrittenFile, writtenFiles } from './generate/written-files.ts'
export { type ImageDescription, imagesOf } from './images.ts'
export { backingService, remoteService } from './needs.ts'
export { SINKS_IMAGE, type Sink, type SinkDelivery, type SinkFilter, type SinkTrigger } from './sink.ts'
export { broker, database, issuer, kafka, type TokenIssuerOptions, tokenIssuer } from './usual-needs.ts'
export { variableOf } from './variable-of.ts'
export { RESERVED_NAMES } from './wrong-names.ts'
