import type { Need, Variables } from './app.ts'
import type { Sink } from './sink.ts'

/** The variables of the manifest of a sink that come from no Secret. */
export function sinkValues({ needs = [], cluster }: Sink): Variables {
  return Object.assign({}, ...needs.map(valuesOf), cluster?.env)
}

/** Variables of a need that are no secrets, outside of development: as in a production overlay. */
function valuesOf({ cluster }: Need): Variables {
  return 'secret' in cluster ? {} : { ...cluster.base, ...cluster.production }
}
