import type { ComponentChildren } from 'preact'
import type { ApiProblem } from '../api.ts'
import { isAsking } from '../session.ts'

interface ProblemProps {
  readonly problem: ApiProblem | undefined
  /** No data has arrived yet. */
  readonly isLoading?: boolean
}

/** A problem of the API, and its remedy. */
export function Problem({ problem, isLoading = false }: ProblemProps) {
  if (problem === undefined) return isLoading ? <Loading /> : null
  return (
    <div class="notice bad" role="alert">
      <strong>{problem.message}</strong> {problem.advice}
    </div>
  )
}

/** Stands in place of an empty list: the reason, and how to fill it. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="notice empty">{children}</p>
}

export function NotFound() {
  return (
    <>
      <h1>Not found</h1>
      <Empty>
        This address has no view. <a href="#/">Go to the overview.</a>
      </Empty>
    </>
  )
}

/** Stands above every view: most of them need spans. */
export function NoTraces({ setBy }: { setBy: string | undefined }) {
  if (setBy === undefined) return null
  return (
    <p class="notice bad">
      The console receives no traces: <code>{setBy}</code> in the environment of pnpm start sends them elsewhere or
      turns them off. Without traces the picture shows no calls, and the Events view stays empty.
    </p>
  )
}

/** Stands in place of every view. */
export function NoSession() {
  if (isAsking.value) return <Loading />
  return (
    <>
      <h1>This tab has no secret</h1>
      <Empty>
        No open tab of the console has the secret of this start. Run <code>pnpm console</code> in the folder of the
        system, or press <kbd>c</kbd> and <kbd>Enter</kbd> in the terminal of pnpm start: a tab opens, and this one gets
        the secret from it. The address with <code>#session=</code> that pnpm start printed does the same.
      </Empty>
    </>
  )
}

export function Loading() {
  return (
    <p class="notice empty" aria-busy="true">
      Loading …
    </p>
  )
}
