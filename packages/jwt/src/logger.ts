/** The part of a structured logger that this package needs; pino's fits. */
export interface JwtLogger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}
