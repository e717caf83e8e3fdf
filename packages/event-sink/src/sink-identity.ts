/** What tells one sink from another. */
export interface SinkIdentity {
  /** The app, as in its logs: `aloha-sink`. */
  readonly app: string
  /** The subscriber service it is deployed as: `eventingaloha`. */
  readonly sink: string
}
