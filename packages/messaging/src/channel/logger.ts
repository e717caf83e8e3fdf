/** The part of a logger that this package needs; pino fits. */
export interface MessagingLogger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
