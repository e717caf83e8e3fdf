export { readReport, type TestReport } from './test-report.ts'
