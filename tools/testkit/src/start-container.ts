import type { GenericContainer, StartedTestContainer } from 'testcontainers'
import { LONGEST_WAIT_MS } from './with-progress.ts'

const KEPT_LINES = 5

/**
 * Starts a container, within ten minutes: where images are built beside it, a start of a second takes a minute.
 *
 * @throws {Error} with the last lines that it printed, when it does not start
 */
export async function startContainer(container: GenericContainer): Promise<StartedTestContainer> {
  const lines: string[] = []
  const withLog = container.withLogConsumer((log) => {
    log.on('data', (line: unknown) => {
      lines.push(String(line).trim())
      if (lines.length > KEPT_LINES) lines.shift()
    })
  })
  try {
    return await withLog.withStartupTimeout(LONGEST_WAIT_MS).start()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`the container did not start: ${reason}; it printed: ${lines.join(' | ')}`, { cause: error })
  }
}
