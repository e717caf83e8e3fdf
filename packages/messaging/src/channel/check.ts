/** Has the shape that `@taproom/health` expects. */
export interface ChannelCheckOutcome {
  readonly status: 'UP' | 'DOWN'
  readonly data?: Readonly<Record<string, string | number | boolean>>
}

/** A channel's health check, in the shape that `@taproom/health` expects. */
export interface ChannelCheck {
  readonly name: string
  check(signal: AbortSignal): ChannelCheckOutcome | Promise<ChannelCheckOutcome>
}
