/** What this package needs of a logger; pino fits. */
export interface MessagingLogger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** What a log line says about an error when its stack is not wanted. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
