import type { App, Need, StandIn } from './app.ts'
import { PLATFORM } from './event-platform.ts'
import { refuseWrongSinks, SINKS_IMAGE, type Sinks } from './sink.ts'
import { withSinks } from './sink-surroundings.ts'
import { refuseWrongNames, refuseWrongPaths, refuseWrongVariables } from './wrong-names.ts'

export interface System {
  /** What people call it: the title of its first page and of its OpenAPI description. */
  readonly name: string
  readonly standIns: Readonly<Record<string, StandIn>>
  readonly apps: Readonly<Record<string, App>>
  /** By the name of the Knative Service. */
  readonly sinks: Sinks
  /** Workspaces of images that hold several; the first is run when the container gets no arguments. */
  readonly images: Readonly<Record<string, readonly string[]>>
  /** Files and folders that services keep from one `pnpm start` to the next; `--fresh` removes them. */
  readonly keeps: readonly string[]
  /** The app whose health is `/q/health` at the base URL of deploy/compose.yaml and of the component `health-route`. Default: none's. */
  readonly health?: string
  /**
   * Has `pnpm start` run each program from one file, made from its sources and the packages that they import, which starts in a third of the
   * time. `external` are packages that cannot be part of a file, as those with native code. Default: programs are run from their sources.
   */
  readonly bundle?: { readonly external: readonly string[] }
  /** Commands that show what the system does; in them `token` stands for a token of duke's with the role Subscriber. */
  tryIt(url: string, token: string): readonly string[]
}

/** A {@link System} as it is written down: what is not there is empty. */
export type SystemDescription = Pick<System, 'name' | 'apps'> & Partial<System>

/**
 * Checks a description and returns it, with the stand-ins and the kept files of its needs and apps among the system's, with what its sinks
 * need among the needs of the app that runs them, and with two images of its sinks: one for a cluster, one with `event-platform`.
 *
 * @throws {RangeError} when a name cannot be one of a namespace or an app, when a path cannot be served, or two apps serve it, when a need
 * names a stand-in, or `health` an app, that does not exist, when a need is of brokers and there is no `event-platform`, when a variable is
 * no text, when a sink, what it needs or its triggers cannot be as they are described, and when apps take development tokens of several issuers
 */
export function defineSystem(description: SystemDescription): System {
  const { sinks = {}, images = {}, keeps = [], tryIt = () => [] } = description
  const apps = appsWithSinks(description.apps, sinks)
  const needs = needsOf({ apps })
  const standIns = { ...standInsOf(needs), ...description.standIns }
  const needsBroker = needs.some(({ name }) => name === 'broker')
  refuseWrongNames(description)
  refuseWrongPaths(apps)
  refuseWrongVariables(sinks)
  refuseWrongVariables(apps)
  refuseWrongSinks(sinks)
  for (const { name, standIn } of needs) {
    if (standIn !== undefined && standIns[standIn] === undefined) {
      throw new RangeError(`system: ${name} has no stand-in ${standIn}`)
    }
  }
  if (needsBroker) requirePlatform(platformOf({ apps }))
  const [issuer, other] = developmentIssuersOf({ apps })
  if (other !== undefined) {
    throw new RangeError(`system: ${issuer} and ${other} are both the development issuer: pnpm run token signs for one`)
  }
  if (description.health !== undefined && apps[description.health] === undefined) {
    throw new RangeError(`system: health is that of ${description.health}, which is no app`)
  }
  const sinkApps = [...new Set(Object.values(sinks).map(({ app }) => app))]
  const isPlatformUsed = apps[PLATFORM] !== undefined && (needsBroker || sinkApps.length > 0)
  const kept = Object.entries(apps).flatMap(([name, app]) => [
    ...(app.keeps ?? []),
    ...(app.needs ?? []).flatMap((need) => need.keeps?.(name) ?? []),
  ])
  return {
    ...description,
    apps,
    standIns,
    sinks,
    images: {
      ...(sinkApps.length > 0 && { [SINKS_IMAGE]: sinkApps }),
      ...(isPlatformUsed && { [PLATFORM]: [PLATFORM, ...sinkApps] }),
      ...images,
    },
    keeps: [...new Set([...keeps, ...kept])],
    tryIt,
  }
}

function appsWithSinks(apps: System['apps'], sinks: Sinks): System['apps'] {
  const name = platformOf({ apps })
  const platform = name === undefined ? undefined : apps[name]
  return name === undefined || platform === undefined ? apps : { ...apps, [name]: withSinks(platform, sinks) }
}

/** Of apps that need the broker: in Compose they find it by the name of its container. */
function requirePlatform(name: string | undefined): void {
  if (name === undefined) {
    throw new RangeError('system: an app needs the broker of events, and there is no eventPlatform(kafka)')
  }
  if (name !== PLATFORM) {
    throw new RangeError(
      `system: eventPlatform(kafka) is called ${name}: expected ${PLATFORM}, as an app needs the broker`,
    )
  }
}

function standInsOf(needs: readonly Need[]): System['standIns'] {
  return Object.fromEntries(
    needs.flatMap(({ standIn, process }) =>
      standIn !== undefined && process !== undefined ? [[standIn, process]] : [],
    ),
  )
}

/** Every need once, in the order of the apps. */
export function needsOf({ apps }: Pick<System, 'apps'>): readonly Need[] {
  return [...new Set(Object.values(apps).flatMap(({ needs = [] }) => needs))]
}

/** The `iss` of the tokens of `pnpm run token`. Undefined when no app takes them. */
export function developmentIssuerOf(system: Pick<System, 'apps'>): string | undefined {
  return developmentIssuersOf(system)[0]
}

function developmentIssuersOf(system: Pick<System, 'apps'>): readonly string[] {
  return [...new Set(needsOf(system).flatMap(({ developmentIssuer }) => developmentIssuer ?? []))]
}

/** The app with the resource API: the one that serves brokers. Undefined when there is none. */
export function platformOf({ apps }: Pick<System, 'apps'>): string | undefined {
  return Object.keys(apps).find((name) => apps[name]?.serves?.includes('/brokers/*'))
}
