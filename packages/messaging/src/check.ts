/** The outcome of one health check; fits `@taproom/health` by shape. */
export interface ChannelCheckOutcome {
  readonly status: 'UP' | 'DOWN'
  readonly data?: Readonly<Record<string, string | number | boolean>>
}

/** A channel's health check; fits `@taproom/health` by shape. */
export interface ChannelCheck {
  readonly name: string
  check(signal: AbortSignal): ChannelCheckOutcome | Promise<ChannelCheckOutcome>
}
