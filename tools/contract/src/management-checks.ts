import { MANAGEMENT_PATHS } from '@taproom/http'
import { readDescription } from '@taproom/openapi/testing'
import { ask, expectProblem, expectStatus, expectType, objectOf } from './ask.ts'
import { type Check, expectThat } from './check.ts'

/** MicroProfile Health's own; `well` is asked by people alone. */
const REPORTS = ['', '/live', '/ready', '/started']

/** Health as MicroProfile Health has it, at a base URL. */
export function healthChecks(subject: string, url: string, healthRootPath: string): readonly Check[] {
  return REPORTS.map((report) => {
    const path = healthRootPath + report
    return { subject, name: `GET ${path} is a health report, and UP`, run: () => expectUp(url + path) }
  })
}

async function expectUp(url: string): Promise<void> {
  const answer = await ask(url)
  expectStatus(answer, 200, 503)
  expectType(answer, 'application/json')
  const { status, checks } = objectOf(answer)
  expectThat(Array.isArray(checks), 'it has no list of checks')
  for (const check of checks as readonly unknown[]) expectCheck(check)
  const down = (checks as readonly { name: string; status: string }[]).filter((check) => check.status === 'DOWN')
  expectThat(
    status === (down.length === 0 ? 'UP' : 'DOWN'),
    `its status is ${JSON.stringify(status)}, with ${down.length} checks DOWN`,
  )
  expectThat((answer.status === 200) === (status === 'UP'), `it is ${answer.status} with the status ${status}`)
  expectThat(status === 'UP', `it is DOWN: ${down.map(({ name }) => name).join(', ')}`)
}

function expectCheck(check: unknown): void {
  const { name, status, data } = (check ?? {}) as Readonly<Record<string, unknown>>
  expectThat(typeof name === 'string' && name !== '', `a check has no name: ${JSON.stringify(check)}`)
  expectThat(status === 'UP' || status === 'DOWN', `the check ${name} is neither UP nor DOWN`)
  const isData = data === undefined || (typeof data === 'object' && data !== null && !Array.isArray(data))
  expectThat(isData, `the data of the check ${name} are no object`)
}

const SAMPLE = /^[a-zA-Z_:][\w:]*(?:\{.*\})? (?:[-+]?[\d.]+(?:e[-+]?\d+)?|[-+]?Inf|NaN)(?: \d+)?$/i

/** Metrics in Prometheus' text format. */
export function metricsCheck(subject: string, url: string): Check {
  const path = MANAGEMENT_PATHS.metrics
  return {
    subject,
    name: `GET ${path} are metrics in Prometheus' format`,
    async run() {
      const answer = await ask(url + path)
      expectStatus(answer, 200)
      expectType(answer, 'text/plain', 'application/openmetrics-text')
      const samples = answer.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      const wrong = samples.find((line) => !SAMPLE.test(line))
      expectThat(wrong === undefined, `it has a line that is no sample: ${wrong}`)
      expectThat(samples.length > 0, 'it has no samples')
    },
  }
}

/** The description: YAML unless JSON is asked for, and valid. */
export function descriptionCheck(subject: string, url: string): Check {
  const path = MANAGEMENT_PATHS.openApi
  return {
    subject,
    name: `GET ${path} is valid OpenAPI 3.1`,
    async run() {
      const yaml = await ask(url + path)
      expectStatus(yaml, 200)
      expectType(yaml, 'application/yaml')
      const json = await ask(`${url + path}?format=json`)
      expectStatus(json, 200)
      expectType(json, 'application/json')
      await readDescription(objectOf(json))
    },
  }
}

/** What is not there, below a path. */
export function nothingCheck(subject: string, url: string, path = ''): Check {
  const nowhere = `${path}/nothing-is-here`
  return {
    subject,
    name: `GET ${nowhere} is 404, a problem`,
    run: async () => expectProblem(await ask(url + nowhere), 404),
  }
}
