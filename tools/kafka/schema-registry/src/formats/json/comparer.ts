import type { Part } from './json-model.ts'

/** The differences that break readers; those that do not are left out. */
export type Differences = readonly string[]

/** Compares the parts of two schemas; an absent one is a schema that is not there. */
export interface Comparer {
  compare(original: Part | undefined, update: Part | undefined, path: string): Differences
  isCompatible(original: Part, update: Part, path: string): boolean
}
