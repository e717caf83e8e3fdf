import type { OpenCurve } from './curve.ts'

/** The curves of `pnpm bench --growth`. Each is loaded when it is opened. */
export const CURVES: Readonly<Record<string, OpenCurve>> = {
  clients: async (opened) => (await import('./clients-curve.ts')).openClientsCurve(opened),
  films: async (opened) => (await import('./films-curve.ts')).openFilmsCurve(opened),
  manifests: async (opened) => (await import('./manifests-curve.ts')).openManifestsCurve(opened),
  matching: async (opened) => (await import('./triggers-curves.ts')).openMatchingCurve(opened),
  partitions: async (opened) => (await import('./records-curves.ts')).openPartitionsCurve(opened),
  tokens: async (opened) => (await import('./tokens-curve.ts')).openTokensCurve(opened),
  topics: async (opened) => (await import('./records-curves.ts')).openTopicsCurve(opened),
  triggers: async (opened) => (await import('./triggers-curves.ts')).openTriggersCurve(opened),
}
