import type { ServiceExitError } from './service-exit-error.ts'

/** Start-up ended because services did; `problems` has each distinct one once, with the services that reported it. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly code = 'ERR_START'
  readonly problems: readonly { readonly text: string; readonly services: readonly string[] }[]

  constructor(failures: readonly ServiceExitError[]) {
    super(`start-up failed: ${failures.map((failure) => failure.message).join('; ')}`)
    const services = new Map<string, string[]>()
    for (const { service, problems } of failures) {
      for (const text of problems) services.set(text, [...(services.get(text) ?? []), service])
    }
    this.problems = [...services].map(([text, names]) => ({ text, services: names }))
  }
}
