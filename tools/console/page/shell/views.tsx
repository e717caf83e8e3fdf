import type { ComponentType } from 'preact'
import { EventsView } from '../events/events-view.tsx'
import { BreakView } from '../faults/break-view.tsx'
import { KafkaView } from '../kafka/kafka-view.tsx'
import { LogsView } from '../logs/logs-view.tsx'
import { MetricsView } from '../metrics/metrics-view.tsx'
import { OverviewView } from '../overview/overview-view.tsx'
import { TryView } from '../requests/try-view.tsx'
import { ServicesView } from '../services/services-view.tsx'
import { TracesView } from '../traces/traces-view.tsx'

export interface ViewEntry {
  /** First part of its address. */
  readonly view: string
  readonly title: string
  /** Path of its 20 px icon. */
  readonly icon: string
  readonly Body: ComponentType
}

/** In the order of the navigation; the key of each is its number. */
export const VIEWS: readonly ViewEntry[] = [
  { view: '', title: 'Overview', Body: OverviewView, icon: 'M3 5h5v4H3zM12 3h5v4h-5zM12 13h5v4h-5zM8 7h4M10 7v8h2' },
  { view: 'services', title: 'Services', Body: ServicesView, icon: 'M3 3h14v5H3zM3 12h14v5H3zM6 5.5h1M6 14.5h1' },
  { view: 'logs', title: 'Logs', Body: LogsView, icon: 'M3 5h14M3 10h9M3 15h12' },
  { view: 'traces', title: 'Traces', Body: TracesView, icon: 'M3 4h9M6 8h8M9 12h8M11 16h4' },
  { view: 'metrics', title: 'Metrics', Body: MetricsView, icon: 'M3 16l4-6 4 3 6-9' },
  { view: 'kafka', title: 'Kafka', Body: KafkaView, icon: 'M3 4h14v3H3zM3 9h10v3H3zM3 14h12v3H3z' },
  { view: 'events', title: 'Events', Body: EventsView, icon: 'M3 10h5l2-6 3 12 2-6h2' },
  { view: 'try', title: 'Requests', Body: TryView, icon: 'M5 3l11 7-11 7z' },
  { view: 'break', title: 'Faults', Body: BreakView, icon: 'M11 2L5 11h4l-1 7 7-10h-5z' },
]
