export type Tags = Readonly<Record<string, string>>

/** An adapter for a metrics library. `add` and `observe` get the same frozen object for the tags of one series each time. */
export interface MetricSink {
  /** Adds to a counter; adding 0 creates it. */
  add(name: string, tags: Tags, by: number): void
  /** Adds one duration to a histogram. */
  observe(name: string, tags: Tags, seconds: number): void
  /** A counter or gauge that is read for each scrape. */
  watch(
    name: string,
    options: { readonly type: 'counter' | 'gauge'; readonly help: string },
    read: () => Iterable<{ readonly tags: Tags; readonly value: number }>,
  ): void
}
