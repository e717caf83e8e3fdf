export { TestReporter, type TestReporterOptions } from './reporter.ts'
export { type FailedTest, readReport, reportFile, type TestKind, type TestReport } from './test-report.ts'
