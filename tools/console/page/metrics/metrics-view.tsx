import { address, href, setQuery } from '../address.ts'
import { Chart } from '../pieces/chart.tsx'
import { Choice, SearchField } from '../pieces/field.tsx'
import { Filters } from '../pieces/filters.tsx'
import { count } from '../pieces/format.ts'
import { Empty, Problem } from '../pieces/notice.tsx'
import { type ChartPlan, chartsOf, formatOf } from './charts.ts'
import { isOther, TOPICS } from './known-metrics.ts'
import { StateChart } from './state-chart.tsx'
import { useSeries } from './use-series.ts'

const RANGES = [
  ['300000', '5 minutes'],
  ['900000', '15 minutes'],
  ['3600000', 'hour'],
] as const

export function MetricsView() {
  const { query } = address.value
  const { series, problem } = useSeries()
  const known = series.value ?? []
  const service = query.get('service') ?? ''
  const plans = chartsOf(known, { service, text: query.get('text') ?? '' })
  const services = [...new Set(known.map((one) => one.service))].sort()
  const rangeMs = Number(query.get('range') ?? RANGES[0][0])
  const to = Math.max(0, ...known.map(({ times }) => times.at(-1) ?? 0))
  const from = Math.max(to - rangeMs, Math.min(...known.map(({ times }) => times[0] ?? to)))
  return (
    <>
      <div class="head">
        <h1>Metrics</h1>
        <p>{count(plans.length, 'chart')} of the last hour</p>
      </div>
      <Filters clear={query.size === 0 ? undefined : href('metrics')}>
        <SearchField label="Name" value={query.get('text') ?? ''} onValue={(text) => setQuery({ text })} />
        <Choice
          label="Service"
          value={service}
          options={[['', 'all'], ...services]}
          onValue={(chosen) => setQuery({ service: chosen })}
        />
        <Choice label="Last" value={String(rangeMs)} options={RANGES} onValue={(range) => setQuery({ range })} />
      </Filters>
      <Problem problem={problem.value} isLoading={series.value === undefined} />
      {series.value !== undefined && plans.length === 0 && <Empty>No metrics match.</Empty>}
      {TOPICS.map((topic) => (
        <Topic key={topic} title={topic} plans={plans.filter((plan) => plan.topic === topic)} from={from} to={to} />
      ))}
    </>
  )
}

interface TopicProps {
  readonly title: string
  readonly plans: readonly ChartPlan[]
  readonly from: number
  readonly to: number
}

function Topic({ title, plans, from, to }: TopicProps) {
  if (plans.length === 0) return null
  const charts = (
    <div class="cards charts">
      {plans.map((plan) => (
        <div key={plan.key} class="card">
          {plan.states === undefined ? (
            <Chart
              title={plan.title}
              lines={plan.lines}
              format={formatOf(plan.unit)}
              from={from}
              to={to}
              group="metrics"
            />
          ) : (
            <StateChart title={plan.title} rows={plan.states} from={from} to={to} />
          )}
          <small class="muted break">
            {plan.name}
            {plan.more > 0 && `, ${plan.more} lower lines not shown`}
          </small>
        </div>
      ))}
    </div>
  )
  if (isOther(title))
    return (
      <details>
        <summary>
          {title}: {count(plans.length, 'chart')}
        </summary>
        {charts}
      </details>
    )
  return (
    <section class="stack" aria-label={title}>
      <h2>{title}</h2>
      {charts}
    </section>
  )
}
