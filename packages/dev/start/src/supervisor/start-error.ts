/** A problem of start-up and the services that reported it. */
export interface StartProblem {
  readonly text: string
  readonly services: readonly string[]
}

export interface StartFailure {
  readonly service: string
  readonly problems: readonly string[]
}

/** Services ended before they were ready; `problems` has each distinct problem once. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly code = 'START_FAILED'
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

/** Problems that begin with the same variable are one: several services may read it. */
function subjectOf(text: string): string {
  return /^[A-Z][A-Z0-9]*_[A-Z0-9_]*/.exec(text)?.[0] ?? text
}
