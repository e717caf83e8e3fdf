import type { ServiceLine } from '@taproom/core/lines'

/** A service ended before it was ready; `problems` are its reasons, one sentence each. */
export class ServiceExitError extends Error {
  override readonly name = 'ServiceExitError'
  readonly code = 'START_SERVICE_EXIT'
  readonly service: string
  readonly problems: readonly string[]
  /** All that it wrote to stderr last, stacks included. */
  readonly said: string

  constructor(service: string, ending: string, lastLines: readonly ServiceLine[]) {
    const problems = problemsOf(lastLines)
    super(`${service} ${ending} before it was ready`)
    this.service = service
    this.said = lastLines.map(({ fields }) => [fields['msg'], stackOf(fields['err'])].join('\n')).join('\n')
    this.problems = problems.length > 0 ? problems : [`${service} ${ending} before it was ready`]
  }
}

function problemsOf(lines: readonly ServiceLine[]): string[] {
  const last = lines.findLast(({ fields }) => fields['level'] === 'fatal' || fields['level'] === 'error')?.fields
  if (last === undefined) {
    const text = lines.map((line) => String(line.fields['msg'] ?? '')).join('\n')
    return text === '' ? [] : [text]
  }
  const problems = last['problems']
  if (Array.isArray(problems) && problems.length > 0) return problems.map(String)
  return [[last['msg'], messageOf(last['err'])].filter((part) => typeof part === 'string').join(': ')]
}

function stackOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'stack' in error ? error.stack : error
}

function messageOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'message' in error ? error.message : error
}

export interface StartProblem {
  readonly text: string
  readonly services: readonly string[]
}

/** Services ended before they were ready; `problems` has each distinct problem once. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly code = 'START_FAILED'
  readonly problems: readonly StartProblem[]

  constructor(failures: readonly Pick<ServiceExitError, 'service' | 'problems'>[]) {
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

  /** Each problem with the services that have it. */
  get sentences(): readonly string[] {
    return this.problems.map(({ text, services }) => `${text} (${services.join(', ')})`)
  }
}

/** Problems that begin with the same variable are one: several services may read it. */
function subjectOf(text: string): string {
  return /^[A-Z][A-Z0-9]*_[A-Z0-9_]*/.exec(text)?.[0] ?? text
}
