/** Labels of one series. */
export type Tags = Readonly<Record<string, string>>

/** Where metrics go; a few lines over any metrics library. */
export interface MetricSink {
  /** Adds to a counter; adding 0 makes it known. */
  add(name: string, tags: Tags, by: number): void
  /** Records one value of a histogram, in seconds. */
  observe(name: string, tags: Tags, seconds: number): void
  /** A counter or gauge that is read whenever somebody looks. */
  watch(
    name: string,
    options: { readonly type: 'counter' | 'gauge'; readonly help: string },
    read: () => Iterable<{ readonly tags: Tags; readonly value: number }>,
  ): void
}
