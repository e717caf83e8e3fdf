import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
// @boundaries-ignore the configuration of tests is the root's, and no package's
import { reporter } from '../../vitest.config.ts'

/** By name: what is applied first is what the others look at. */
class ByName extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1))
  }
}

/** Tests of the cluster that KUBECONFIG names, which `.ci/cluster up` made: `pnpm test` leaves them out. */
export default defineConfig({
  test: {
    include: ['cluster/*.test.ts'],
    fileParallelism: false,
    sequence: { sequencer: ByName },
    // The one line of a failed test shows what was found, up to this length.
    chaiConfig: { truncateThreshold: 400 },
    // Against a hang alone: the waits inside a test have limits of their own, and say what did not come.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    execArgv: ['--conditions=development'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    reporters: ['verbose', reporter('cluster-report.json')],
  },
})
