/** Fields first, then a constant message. */
export interface PlatformLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
