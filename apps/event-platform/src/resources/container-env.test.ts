import { describe, expect, it } from 'vitest'
import { processVariables } from './container-env.ts'

describe('processVariables', () => {
  const platform = {
    PATH: '/bin',
    OTEL_TRACES_SAMPLER: 'always_on',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://of.the.platform',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=secret',
  }

  it('are the platform’s with those of the container on top', () => {
    expect(processVariables(platform, { GREETING: 'hi', NODE_OPTIONS: '--import x' })).toEqual({
      ...platform,
      GREETING: 'hi',
    })
  })

  it.each(['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'])(
    'have no key of the platform for an endpoint of the container’s own in %s',
    (name) => {
      const own = { [name]: 'https://of.the.container' }
      const { PATH, OTEL_TRACES_SAMPLER } = platform
      expect(processVariables(platform, own)).toEqual({ PATH, OTEL_TRACES_SAMPLER, ...own })
    },
  )
})
