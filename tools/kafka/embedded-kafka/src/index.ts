export type { EmbeddedBroker } from './cluster-broker.ts'
export type { ConnectedClient, Control, SetRule } from './control/control.ts'
export type { GroupDetails, GroupSummary, PartitionLag } from './control/groups.ts'
export type { LeaderMove } from './control/leaders.ts'
export type { CommittedWait, GroupWait } from './control/waits.ts'
export { type EmbeddedKafka, startEmbeddedKafka } from './embedded-kafka.ts'
export type { EmbeddedKafkaOptions } from './embedded-kafka-options.ts'
export {
  AuthenticationError,
  ControlError,
  DataDirError,
  EmbeddedKafkaError,
  ListenError,
  OptionError,
  TlsHandshakeError,
  WaitError,
} from './errors.ts'
export type {
  AwayRule,
  BlackHoleRule,
  DelayRule,
  DropRule,
  ErrorRule,
  FaultRule,
  LeaderlessRule,
  PauseRule,
} from './faults/rule.ts'
export type { OnConnectionError } from './network/connection.ts'
export type { ListenerAddress } from './network/listener.ts'
export type { ScramName } from './security/sasl/scram.ts'
export type { TopicOption } from './topics/wanted-topics.ts'
