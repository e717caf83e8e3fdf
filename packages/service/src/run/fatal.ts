import { jsonLine, visible, visibleLines } from '@taproom/core/lines'
import type { ConfigError } from '../env/config-error.ts'
import { ListenError } from '../server/listen-error.ts'

/**
 * Writes to stderr why a service cannot start or continue: one JSON object on one line, or readable lines when stderr is a terminal. Errors
 * that an operator can correct (configuration, a port in use) have no stack, all others have.
 */
export function fatal(message: string, error: unknown): void {
  process.stderr.write(process.stderr.isTTY ? readable(message, error) : jsonLine(structured(message, error)))
}

function structured(message: string, error: unknown): object {
  const line = { level: 'fatal', time: new Date().toISOString(), msg: message }
  if (isConfigError(error)) return { ...line, code: error.code, problems: error.problems }
  if (error instanceof ListenError) return { ...line, code: error.code, problems: [error.message] }
  if (error instanceof Error) return { ...line, err: { type: error.name, message: error.message, stack: error.stack } }
  return { ...line, err: { message: String(error) } }
}

/** Also those of libraries, which have no class in common. */
function isConfigError(error: unknown): error is Pick<ConfigError, 'code' | 'problems'> {
  return error instanceof Error && 'code' in error && error.code === 'CONFIG_INVALID' && 'problems' in error
}

function readable(message: string, error: unknown): string {
  if (isConfigError(error)) {
    return `${message}:\n${error.problems.map((problem) => `  ${visible(problem)}\n`).join('')}`
  }
  if (error instanceof ListenError) return `${message}: ${visible(error.message)}\n`
  return `${message}: ${visibleLines(String(error instanceof Error ? error.stack : error))}\n`
}
