/** The part of a logger that this package needs; pino fits. */
export interface JwtLogger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}
