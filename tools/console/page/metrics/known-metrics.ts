/** What the lines of a chart are: the labels of one service, the services, or the percentiles of one set of labels. */
export type Split = 'labels' | 'services' | 'percentiles'

export interface KnownMetric {
  readonly topic: string
  readonly title: string
  readonly split: Split
  /** Where Prometheus' unit is not how people read it. */
  readonly unit?: 'ratio'
}

const one = (topic: string, title: string, split: Split = 'labels'): KnownMetric => ({ topic, title, split })

/** By name, without percentile. All others come last, under their own names. */
const KNOWN: Readonly<Record<string, KnownMetric>> = {
  http_server_requests_seconds_rate: one('Requests', 'Requests'),
  http_server_requests_seconds: one('Requests', 'Time to answer', 'percentiles'),
  beers_generated_total_rate: one('Streams', 'Beers generated'),
  beers_read_total_rate: one('Streams', 'Beers read'),
  beer_stream_clients: one('Streams', 'Clients of the stream'),
  kafka_consumer_lag: one('Streams', 'Records behind'),
  event_delivery_seconds_rate: one('Events', 'Deliveries'),
  event_delivery_seconds: one('Events', 'Time to deliver', 'percentiles'),
  event_broker_events_total_rate: one('Events', 'Events at the broker'),
  event_trigger_events_total_rate: one('Events', 'Events at triggers'),
  sink_instances: one('Events', 'Instances of sinks'),
  ft_circuitbreaker_state_current: one('Fault tolerance', 'State of the breaker'),
  ft_invocations_total_rate: one('Fault tolerance', 'Guarded calls'),
  ft_retry_retries_total_rate: one('Fault tolerance', 'Retries'),
  ft_timeout_calls_total_rate: one('Fault tolerance', 'Timeouts'),
  nodejs_eventloop_lag_p99_seconds: one('Processes', 'Event-loop lag, 99 %', 'services'),
  nodejs_heap_size_used_bytes: one('Processes', 'Heap', 'services'),
  process_resident_memory_bytes: one('Processes', 'Memory', 'services'),
  process_cpu_seconds_total_rate: { ...one('Processes', 'CPU', 'services'), unit: 'ratio' },
}

const OTHER = 'Everything else'

/** In the order they are shown. */
export const TOPICS: readonly string[] = [...new Set(Object.values(KNOWN).map(({ topic }) => topic)), OTHER]

export function knownMetric(name: string): KnownMetric {
  return KNOWN[name] ?? { topic: OTHER, title: name, split: 'labels' }
}

export function isOther(topic: string): boolean {
  return topic === OTHER
}
