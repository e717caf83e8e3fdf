/** @typedef {import('../check.ts').HealthReport} HealthReport */
/** @typedef {import('../page-report.ts').ServiceReports} ServiceReports */

/**
 * A check as a row of a card.
 *
 * @typedef {HealthReport['checks'][number] & { readonly key: string, readonly kind: string }} Row
 */

/**
 * The data of a card.
 *
 * @typedef {object} Card
 * @property {string} key
 * @property {string} name
 * @property {string} status
 * @property {string} note why it is down, where no check says so
 * @property {readonly Row[]} rows
 * @property {string} [service] the service of the checks, at a gateway
 */

/** @type {Readonly<Record<string, string>>} */
const KINDS = { live: 'liveness', ready: 'readiness', started: 'startup', well: 'wellness' }

/** @param {string} kind */
const kindOf = (kind) => KINDS[kind] ?? kind.replace('/', ' ')

/** @param {{ readonly status: string }} reported */
export const isUp = ({ status }) => status === 'UP'

/** The cards of a page: at a gateway one for each service, at a service one for each kind of check. */
export function cardsOf(/** @type {readonly ServiceReports[]} */ services) {
  return services.flatMap((service) => (service.name === undefined ? kindCards(service) : [serviceCard(service)]))
}

/**
 * @param {ServiceReports} service
 * @returns {Card}
 */
function serviceCard({ name = '', error, reports = {} }) {
  const all = Object.entries(reports)
  const status = error === undefined && all.every(([, report]) => isUp(report)) ? 'UP' : 'DOWN'
  const rows = all.flatMap(([kind, { checks }]) => rowsOf(name, kind, checks))
  return { key: name, name, status, note: error ?? noteOf(Object.values(reports)), rows, service: name }
}

/**
 * @param {ServiceReports} service
 * @returns {Card[]}
 */
function kindCards({ reports = {} }) {
  return Object.entries(reports)
    .map(([kind, report]) => {
      const rows = rowsOf('', kind, report.checks)
      return { key: kind, name: kindOf(kind), status: report.status, note: noteOf([report]), rows }
    })
    .filter(({ rows, note }) => rows.length > 0 || note !== '')
}

/**
 * The checks of a report, each with a unique key: checks of the same name differ by their order.
 *
 * @param {string} prefix
 * @param {string} kind
 * @param {HealthReport['checks']} checks
 * @returns {Row[]}
 */
function rowsOf(prefix, kind, checks) {
  const seen = new Map()
  return checks.map((check) => {
    const nth = seen.get(check.name) ?? 0
    seen.set(check.name, nth + 1)
    return { ...check, kind: kindOf(kind), key: [prefix, kind, nth, check.name].join(' ') }
  })
}

/** @param {readonly HealthReport[]} reports */
function noteOf(reports) {
  return reports.some(({ status, checks }) => status !== 'UP' && checks.length === 0) ? 'has not finished starting' : ''
}

export function headlineOf(/** @type {readonly Card[]} */ cards, /** @type {boolean} */ isGateway) {
  if (!isGateway) {
    const down = cards.flatMap(({ rows }) => rows).filter((row) => !isUp(row)).length
    if (down === 0) return cards.every(isUp) ? 'Everything is up' : 'The service has not finished starting'
    return down === 1 ? 'One check is down' : `${down} checks are down`
  }
  const down = cards.filter((card) => !isUp(card)).map(({ name }) => name)
  if (down.length === 0) return `All ${cards.length} services are up`
  if (down.length > 2) return `${down.length} of ${cards.length} services are down`
  return `${down.join(' and ')} ${down.length === 1 ? 'is' : 'are'} down`
}
