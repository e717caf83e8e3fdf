import { readFileSync } from 'node:fs'
import express from 'express'
import { describe, expect, it } from 'vitest'
import { createHealth, databaseCheck, healthRoutes, InvalidHealthOptionError, urlCheck } from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

/** The lines between `example` marks below: the README shows exactly these. */
const example = readFileSync(import.meta.filename, 'utf8')
  .split('// example\n')[1]
  ?.replaceAll(/^ {4}/gm, '')

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
    expect(example).toBeDefined()
    expect(readme).toContain(example?.trim())
  })

  it('lists every error code', () => {
    expect(readme).toContain(`\`${new InvalidHealthOptionError('m').code}\``)
  })
})
