import { describe, expect, it } from 'vitest'
import { PrometheusTextError, parsePrometheusText } from './prometheus-text.ts'

const parse = (text: string) => parsePrometheusText(text, () => true, 1000)

describe('parsePrometheusText', () => {
  it('reads the example of Prometheus’ own documentation', () => {
    const text = `# HELP http_requests_total The total number of HTTP requests.
# TYPE http_requests_total counter
http_requests_total{method="post",code="200"} 1027 1395066363000
http_requests_total{method="post",code="400"}    3 1395066363000

# Escaping in label values:
msdos_file_access_time_seconds{path="C:\\\\DIR\\\\FILE.TXT",error="Cannot find file:\\n\\"FILE.TXT\\""} 1.458255915e9

# Minimalistic line:
metric_without_timestamp_and_labels 12.47

# A weird metric from before the epoch:
something_weird{problem="division by zero"} +Inf -3982045

# A histogram, which has a pretty complex representation in the text format:
# HELP http_request_duration_seconds A histogram of the request duration.
# TYPE http_request_duration_seconds histogram
http_request_duration_seconds_bucket{le="0.05"} 24054
http_request_duration_seconds_bucket{le="+Inf"} 144320
http_request_duration_seconds_sum 53423
http_request_duration_seconds_count 144320
`
    const families = parse(text)
    expect(families.map(({ name, type, samples }) => [name, type, samples.length])).toEqual([
      ['http_requests_total', 'counter', 2],
      ['msdos_file_access_time_seconds', 'untyped', 1],
      ['metric_without_timestamp_and_labels', 'untyped', 1],
      ['something_weird', 'untyped', 1],
      ['http_request_duration_seconds', 'histogram', 4],
    ])
    expect(families[0]?.samples[1]).toEqual({
      name: 'http_requests_total',
      labels: { method: 'post', code: '400' },
      value: 3,
    })
    expect(families[1]?.samples[0]).toMatchObject({
      labels: { path: 'C:\\DIR\\FILE.TXT', error: 'Cannot find file:\n"FILE.TXT"' },
      value: 1.458255915e9,
    })
    expect(families[3]?.samples[0]?.value).toBe(Number.POSITIVE_INFINITY)
  })

  it('reads what prom-client writes for an empty gauge', () => {
    expect(parse('a Nan\nb NaN\n').map(({ samples }) => samples[0]?.value)).toEqual([Number.NaN, Number.NaN])
  })

  it('reads braces and commas within a label, and a name that JavaScript knows otherwise', () => {
    const [family] = parse('a{b="},{\\"c=",__proto__="x"} 1')
    expect(Object.entries(family?.samples[0]?.labels ?? {})).toEqual([
      ['b', '},{"c='],
      ['__proto__', 'x'],
    ])
  })

  it('reads no more samples than wanted, and only metrics that are', () => {
    const text = Array.from({ length: 50 }, (_, index) => `m${index % 2} ${index}`).join('\n')
    const families = parsePrometheusText(text, (name) => name === 'm1', 10)
    expect(families).toMatchObject([{ name: 'm1' }])
    expect(families[0]?.samples).toHaveLength(10)
  })

  it.each(['<html>', 'a b', 'a{b} 1', 'a{b="c} 1', 'a 1 2 3'])('refuses %j', (line) => {
    expect(() => parse(line)).toThrow(PrometheusTextError)
  })

  it('takes no long time for a line that is hostile', () => {
    expect(() => parse(`a{${'b="'.repeat(100_000)}`)).toThrow(PrometheusTextError)
    expect(() => parse(`a{${'b="c",'.repeat(20_000)}`)).toThrow(PrometheusTextError)
  })
})
