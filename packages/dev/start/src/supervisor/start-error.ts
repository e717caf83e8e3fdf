/** A problem of start-up and the services that reported it. */
export interface StartProblem {
  readonly text: string
  readonly services: readonly string[]
}

/** What one service, or the start itself, has against starting. */
export interface StartFailure {
  readonly service: string
  readonly problems: readonly string[]
}

/** Start-up ended because services did or would; `problems` tells each distinct one once. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly code = 'ERR_START'
  readonly problems: readonly StartProblem[]

  constructor(failures: readonly StartFailure[]) {
    super(`start-up failed: ${failures.flatMap(({ problems }) => problems).join('; ')}`)
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
