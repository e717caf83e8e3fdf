import { readFileSync } from 'node:fs'
import { markedExample } from '@taproom/testkit'
import express from 'express'
import { describe, expect, it } from 'vitest'
import { createHealth, databaseCheck, healthRoutes, InvalidHealthOptionError, urlCheck } from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

describe('the README', () => {
  it('shows an example that works', async () => {
    const app = express()
    const { signal: shutdown } = new AbortController()
    const queryOne = async () => {}
    // example
    const health = createHealth({
      readiness: [databaseCheck({ '<default>': () => queryOne() }), urlCheck({ url: 'https://films.example/' })],
      shutdown,
    })
    app.use(healthRoutes(health, { ui: true }))
    // example
    expect(await health.report('live')).toMatchObject({ status: 'UP' })
  })

  it('shows the lines of that example', () => {
    expect(readme).toContain(markedExample(import.meta.filename))
  })

  it('lists every error code', () => {
    expect(readme).toContain(`\`${new InvalidHealthOptionError('m').code}\``)
  })
})
