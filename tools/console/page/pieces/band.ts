/** A state and the time for which it lasted, in milliseconds since 1970. */
export interface Band {
  readonly state: string
  readonly health: 'up' | 'down' | 'warn' | 'rest'
  readonly from: number
  readonly to: number
}
