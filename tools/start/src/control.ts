export type { ConfiguredVariable } from './control/configuration.ts'
export { CONTROL_ACTIONS, type ControlAction, type ShownStatus, type SystemFacts } from './control/control-answers.ts'
export { askControl, followControl, NotRunningError } from './control/control-client.ts'
export { ENDED, RELOAD_FAILED, RELOADED } from './output/log-messages.ts'
