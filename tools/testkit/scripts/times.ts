/** Prints the processor time and seconds of the last run of each workspace's tests, cached runs with what they took. */
import { timeLines } from '../src/report/summary.ts'
import { readRuns } from '../src/report/test-runs.ts'

const runs = readRuns(process.cwd(), ['test', 'test:system', 'test:long'])
const reports = runs.flatMap(({ name, report }) => (report === undefined ? [] : [[name, report] as const]))
console.log(timeLines(reports).join('\n'))
