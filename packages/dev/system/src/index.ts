export {
  type App,
  defineSystem,
  type Need,
  needsOf,
  type Place,
  type PodSize,
  type Sink,
  type StandIn,
  type System,
  type Variables,
} from './define-system.ts'
