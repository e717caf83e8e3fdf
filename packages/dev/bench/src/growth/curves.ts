import { openClientsCurve } from './clients-curve.ts'
import type { OpenCurve } from './curve.ts'
import { openFilmsCurve } from './films-curve.ts'
import { openManifestsCurve } from './manifests-curve.ts'
import { openPartitionsCurve, openTopicsCurve } from './records-curves.ts'
import { openTokensCurve } from './tokens-curve.ts'
import { openMatchingCurve, openTriggersCurve } from './triggers-curves.ts'

/** What `pnpm bench --growth` measures. */
export const CURVES: Readonly<Record<string, OpenCurve>> = {
  clients: openClientsCurve,
  films: openFilmsCurve,
  manifests: openManifestsCurve,
  matching: openMatchingCurve,
  partitions: openPartitionsCurve,
  tokens: openTokensCurve,
  topics: openTopicsCurve,
  triggers: openTriggersCurve,
}
