import { startProcess, waitUntilReady } from '@taproom/testkit'
import { APPS, fileAt, mainOf } from '../../harness/apps.ts'
import { UsageError } from '../../harness/command-line.ts'
import type { Report } from '../report.ts'
import type { Situation } from './situation.ts'
import { openSubjects, type Subject } from './subjects.ts'

/** Default of `SHUTDOWN_GRACE_MS`, and what a process may need to end after it. */
const MOST_SECONDS = 10.5

export interface StopsOptions {
  /** Only this one. */
  readonly app?: string | undefined
  readonly signal: AbortSignal
  readonly write: (line: string) => void
}

/** Stops each service in each situation, and writes how many seconds that takes. */
export async function runStops({ app, signal, write }: StopsOptions): Promise<Report> {
  const apps: readonly string[] = Object.values(APPS)
  if (app !== undefined && !apps.includes(app)) throw new UsageError(`--app=${app}: expected one of ${apps.join(', ')}`)
  await using opened = new AsyncDisposableStack()
  const subjects = (await openSubjects(opened)).filter((subject) => app === undefined || subject.app === app)
  const findings: string[] = []
  const facts: Record<string, string> = {}
  for (const subject of subjects) {
    for (const situation of subject.situations) {
      signal.throwIfAborted()
      const what = `${subject.app}, ${situation.name}`
      const { seconds, code } = await stopOf(subject, situation)
      facts[what] = seconds.toFixed(2)
      write(`${what}: ${seconds.toFixed(2)} s`)
      const most = situation.mostSeconds ?? MOST_SECONDS
      if (seconds > most) findings.push(`${what}: stopped after ${seconds.toFixed(2)} s, more than ${most} s`)
      if (code !== 0) findings.push(`${what}: exit code ${code}`)
    }
  }
  return { title: 'seconds from SIGTERM to the exit', facts, findings }
}

async function stopOf({ app, env }: Subject, situation: Situation): Promise<{ seconds: number; code: number | null }> {
  await using service = startProcess(fileAt(mainOf(app)), { ...env, ...situation.env })
  const url = await service.url()
  if (situation.env === undefined) await waitUntilReady(url)
  using _begun = await situation.begin(url)
  const startedAt = performance.now()
  const code = await service.stop()
  return { seconds: (performance.now() - startedAt) / 1000, code }
}
