/** The lines of a chart: one for each set of labels of a service, each service, or each percentile; or bands of states. */
export type Split = 'labels' | 'services' | 'percentiles' | 'states'

export interface KnownMetric {
  readonly topic: string
  readonly title: string
  readonly split: Split
  /** The unit in which people read it, where Prometheus has another. */
  readonly unit?: 'ratio'
}

const one = (topic: string, title: string, split: Split = 'labels'): KnownMetric => ({ topic, title, split })

/** Metrics by name, without percentile. All others come last, under their own names. */
const KNOWN: Readonly<Record<string, KnownMetric>> = {
  http_server_requests_seconds_rate: one('Requests', 'Requests'),
  http_server_requests_seconds: one('Requests', 'Response time', 'percentiles'),
  beers_generated_total_rate: one('Streams', 'Beers generated'),
  beers_read_total_rate: one('Streams', 'Beers read'),
  beer_stream_clients: one('Streams', 'Clients of the stream'),
  kafka_consumer_lag: one('Streams', 'Consumer lag'),
  event_delivery_seconds_rate: one('Events', 'Deliveries'),
  event_delivery_seconds: one('Events', 'Delivery time', 'percentiles'),
  event_broker_events_total_rate: one('Events', 'Events at the broker'),
  event_trigger_events_total_rate: one('Events', 'Events at triggers'),
  sink_instances: one('Events', 'Instances of sinks'),
  ft_circuitbreaker_state_current: one('Fault tolerance', 'Circuit breaker state', 'states'),
  ft_invocations_total_rate: one('Fault tolerance', 'Guarded calls'),
  ft_retry_retries_total_rate: one('Fault tolerance', 'Retries'),
  ft_timeout_calls_total_rate: one('Fault tolerance', 'Timeouts'),
  nodejs_eventloop_lag_p99_seconds: one('Processes', 'Event loop lag, p99', 'services'),
  nodejs_heap_size_used_bytes: one('Processes', 'Heap', 'services'),
  process_resident_memory_bytes: one('Processes', 'Memory', 'services'),
  process_cpu_seconds_total_rate: { ...one('Processes', 'CPU', 'services'), unit: 'ratio' },
}

const OTHER = 'Other metrics'

/** In the order they are shown. */
export const TOPICS: readonly string[] = [...new Set(Object.values(KNOWN).map(({ topic }) => topic)), OTHER]

export function knownMetric(name: string): KnownMetric {
  return KNOWN[name] ?? { topic: OTHER, title: name, split: 'labels' }
}

export function isOther(topic: string): boolean {
  return topic === OTHER
}
