import type { ServiceLine } from '../output/service-line.ts'

/** A service ended before it was ready; `problems` are its reasons, one sentence each. */
export class ServiceExitError extends Error {
  override readonly name = 'ServiceExitError'
  readonly code = 'START_SERVICE_EXIT'
  readonly service: string
  readonly problems: readonly string[]

  constructor(service: string, ending: string, lastLines: readonly ServiceLine[]) {
    const problems = problemsOf(lastLines)
    super(`${service} ${ending} before it was ready`)
    this.service = service
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

function messageOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'message' in error ? error.message : error
}
