/** As Apache Kafka's quota.window.size.seconds and quota.window.num. */
const SAMPLE_MS = 1000
const SAMPLES = 11

/** How much there was in a second, over the last ten to eleven. */
export class Rate {
  #samples: { readonly startedAt: number; sum: number }[] = []

  record(amount: number, now: number): void {
    this.#samples = this.#samples.filter(({ startedAt }) => now - startedAt < SAMPLES * SAMPLE_MS)
    const last = this.#samples.at(-1)
    if (last && now - last.startedAt < SAMPLE_MS) last.sum += amount
    else this.#samples.push({ startedAt: now, sum: amount })
  }

  /** How long to wait, in milliseconds, until it is the limit again: Apache Kafka's QuotaUtils.throttleTime. */
  excessMs(limit: number, now: number): number {
    const elapsed = now - (this.#samples[0]?.startedAt ?? now)
    const missing = Math.max(0, SAMPLES - 1 - Math.floor(elapsed / SAMPLE_MS))
    const windowMs = elapsed + missing * SAMPLE_MS
    const sum = this.#samples.reduce((total, sample) => total + sample.sum, 0)
    const rate = (sum * 1000) / windowMs
    return rate > limit ? Math.round(((rate - limit) / limit) * windowMs) : 0
  }
}
