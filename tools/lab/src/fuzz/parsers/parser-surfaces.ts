import { openBeers } from './beers.ts'
import { openEvents } from './events.ts'
import { openFilters } from './filters.ts'
import { openKeys } from './keys.ts'
import { openManifests } from './manifests.ts'
import type { OpenParsers } from './parser-target.ts'
import { openRecords } from './records.ts'
import { openTokens } from './tokens.ts'

export const PARSER_SURFACES: Readonly<Record<string, OpenParsers>> = {
  tokens: () => openTokens(),
  keys: openKeys,
  events: openEvents,
  filters: openFilters,
  manifests: openManifests,
  records: openRecords,
  beers: openBeers,
}
