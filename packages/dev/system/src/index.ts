export {
  type App,
  defineSystem,
  type Need,
  needsOf,
  type Place,
  type Sink,
  type StandIn,
  type System,
  type Variables,
  variableOf,
} from './define-system.ts'
export { type ImageDescription, imagesOf } from './images.ts'
export { backingService, remoteService } from './needs.ts'
