import type { System } from '@taproom/system'

/** The system that is looked at. */
export interface Target {
  readonly system: System
  /** Its base URL. */
  readonly url: string
  readonly healthRootPath: string
  /** Where `pnpm start` runs it on this machine: the base URL of each app, undefined while it does not run. */
  readonly apps?: Readonly<Record<string, string | undefined>>
  /** A token that is accepted, and has no role. */
  readonly token?: TargetToken
}

export interface TargetToken {
  readonly text: string
  /** Its `iss`. */
  readonly issuer: string
}

/** The app that serves a path at the base URL; undefined for the gateway's own. */
export function serverOf({ apps }: Pick<System, 'apps'>, path: string): string | undefined {
  const paths = Object.entries(apps).flatMap(([name, { serves = [] }]) => serves.map((served) => ({ served, name })))
  const isAbove = (served: string) =>
    served.endsWith('/*') ? path.startsWith(served.slice(0, -1)) : path.startsWith(`${served}/`)
  const longest = paths.filter(({ served }) => isAbove(served)).toSorted((a, b) => b.served.length - a.served.length)
  return (paths.find(({ served }) => served === path) ?? longest[0])?.name
}
