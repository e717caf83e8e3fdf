import type { ServiceExitError } from './service-exit-error.ts'

/** A problem of start-up and the services that reported it. */
export interface StartProblem {
  readonly text: string
  readonly services: readonly string[]
}

/** Start-up ended because services did; `problems` tells each distinct one once. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly code = 'ERR_START'
  readonly problems: readonly StartProblem[]

  constructor(failures: readonly ServiceExitError[]) {
    super(`start-up failed: ${failures.map((failure) => failure.message).join('; ')}`)
    const found = new Map<string, { text: string; services: string[] }>()
    for (const { service, problems } of failures) {
      for (const text of problems) {
        const problem = found.get(subjectOf(text)) ?? { text, services: [] }
        problem.services.push(service)
        found.set(subjectOf(text), problem)
      }
    }
    this.problems = [...found.values()]
  }
}

/** What a problem is about: the variable that it begins with, which several services may read; else itself. */
function subjectOf(text: string): string {
  return /^[A-Z][A-Z0-9]*_[A-Z0-9_]*/.exec(text)?.[0] ?? text
}
