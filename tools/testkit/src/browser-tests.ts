import { beforeAll, beforeEach } from 'vitest'
import { findChromium } from './find-program.ts'
import { describeNeeds } from './report/needs.ts'

/** Prepares the tests of a file that need a browser. Without one they are skipped, which the summary counts. */
export function beforeBrowserTests(prepare: () => Promise<void>): void {
  const isHere = findChromium() !== undefined
  beforeAll(async () => {
    if (isHere) await prepare()
  })
  beforeEach((test) => {
    // biome-ignore lint/suspicious/noSkippedTests: without a browser there is nothing to look at; the summary counts the skip
    if (!isHere) test.skip(describeNeeds(['chromium']))
  })
}
