/**
 * `affected.ts PATH…`: for each file of the repository, the test tasks that turbo runs again when it changes, and their part of the processor
 * time of all tests in their last runs.
 */

import { taskInputs } from '../src/report/task-inputs.ts'
import { readRuns } from '../src/report/test-runs.ts'

const KINDS = ['test', 'test:system'] as const
const runs = readRuns(process.cwd(), KINDS)
const inputs = await taskInputs(process.cwd(), KINDS)
const secondsOf = (some: typeof runs) => some.reduce((sum, { report }) => sum + (report?.cpuSeconds ?? 0), 0)
const all = secondsOf(runs)

for (const path of process.argv.slice(2)) {
  const affected = runs.filter(({ task }) => inputs.get(task)?.has(path))
  const seconds = secondsOf(affected)
  const share = all === 0 ? 0 : (100 * seconds) / all
  console.log(
    `${path}: ${affected.length} tasks, ${seconds.toFixed(1)} of ${all.toFixed(1)} CPU s (${share.toFixed(1)} %)`,
  )
  for (const { name } of affected) console.log(`  ${name}`)
}
