import type { ComponentChildren } from 'preact'
import type { ApiProblem } from '../api.ts'
import { isAsking } from '../session.ts'

interface ProblemProps {
  readonly problem: ApiProblem | undefined
  /** Nothing has come yet. */
  readonly isLoading?: boolean
}

/** What the API says went wrong, and what to do. */
export function Problem({ problem, isLoading = false }: ProblemProps) {
  if (problem === undefined) return isLoading ? <Loading /> : null
  return (
    <div class="notice bad" role="alert">
      <strong>{problem.message}</strong> {problem.advice}
    </div>
  )
}

/** Why there is nothing to see, and how there will be. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="notice empty">{children}</p>
}

export function NotFound() {
  return (
    <>
      <h1>Not found</h1>
      <Empty>
        There is no such view. <a href="#/">Go to the overview.</a>
      </Empty>
    </>
  )
}

/** Above every view: most of what they show is made of spans. */
export function NoTraces({ setBy }: { setBy: string | undefined }) {
  if (setBy === undefined) return null
  return (
    <p class="notice bad">
      No traces come here: <code>{setBy}</code>, set where pnpm start runs, says where they go, or that there are none.
      Without them the picture does not move, and there are no stories of events.
    </p>
  )
}

/** In place of every view. */
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
