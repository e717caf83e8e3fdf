import { isContainerVariable } from '@taproom/processes/container-variable'
import type { App, Need, Place, Variables } from './app.ts'
import { PLATFORM } from './event-platform.ts'
import type { Sink, Sinks } from './sink.ts'
import { variableOf } from './variable-of.ts'

/**
 * The app that runs the sinks, with what they need and keep. It gets their variables by names of their own, `SINK_LEDGER__DATABASE_URL`, and
 * hands each to its sink.
 */
export function withSinks(platform: App, sinks: Sinks): App {
  const all = Object.entries(sinks).map(([name, sink]) => surroundingsOf(name, sink))
  return {
    ...platform,
    needs: [...(platform.needs ?? []), ...all.flatMap(({ needs }) => needs)],
    keeps: [...(platform.keeps ?? []), ...all.flatMap(({ keeps }) => keeps)],
    env: (place) => Object.assign({}, platform.env?.(place), ...all.map(({ env }) => env(place))),
  }
}

/** The prefix of the variables that event-platform hands on to a sink: `SINK_LEDGER__`. */
export function sinkPrefix(name: string): string {
  return `SINK_${variableOf(name)}__`
}

function surroundingsOf(name: string, { app, needs = [], keeps = [], env }: Sink) {
  const prefix = sinkPrefix(name)
  const prefixed = (variables: Variables = {}) =>
    Object.fromEntries(Object.entries(variables).map(([variable, value]) => [prefix + variableOf(variable), value]))
  const handedOn = new Map(needs.map((need) => [need, handedOnTo(app, need, { prefix, prefixed })]))
  return {
    needs: [...handedOn.values()],
    keeps,
    env: (place: Place): Variables => {
      const brings = (need: Need) => place.brings(handedOn.get(need) ?? need)
      const own = env?.({ ...place, name: app, brings })
      return { ...prefixed(settingsOf(needs, place, prefix)), ...prefixed(own) }
    },
  }
}

interface Names {
  readonly prefix: string
  prefixed(variables: Variables | undefined): Readonly<Record<string, string | undefined>>
}

/** The need of a sink as one of the platform. It is met by variables for that sink, and by those for all. */
function handedOnTo(app: string, need: Need, { prefix, prefixed }: Names): Need {
  const { anchor: _anchor, others, after, ...compose } = need.compose
  const [first] = need.variables
  return {
    ...need,
    app,
    variables: [prefix + variableOf(first), ...need.variables],
    local: (place) => prefixed(need.local({ ...place, name: app })),
    keeps: () => need.keeps?.(app) ?? [],
    compose: {
      ...compose,
      after: Object.fromEntries(Object.entries(after).filter(([service]) => service !== PLATFORM)),
      ...(others !== undefined && {
        others: Object.fromEntries(Object.entries(others).map(([key, value]) => [prefix + key, value])),
      }),
    },
  }
}

/**
 * Given variables whose first word is that of a variable of a need, such as `KAFKA_SASL_MECHANISM`, unless the sink has one of its own. None
 * that the platform refuses, such as `KAFKA_OPTS`: a shell has them for other programs.
 */
function settingsOf(needs: readonly Need[], { given }: Place, prefix: string): Variables {
  const firstWords = new Set(needs.flatMap(({ variables }) => variables.map(firstWordOf)))
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) =>
        value &&
        firstWords.has(firstWordOf(name)) &&
        isContainerVariable(variableOf(name)) &&
        !given[prefix + variableOf(name)],
    ),
  )
}

function firstWordOf(name: string): string {
  return variableOf(name).split('_', 1)[0] ?? ''
}
