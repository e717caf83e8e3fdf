import { createHash } from 'node:crypto'
import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { healthPage } from './health-page.ts'

describe('healthPage', () => {
  const { html, headers } = healthPage()
  const contentSecurityPolicy = headers['content-security-policy']
  const content = (tag: string) => new RegExp(`<${tag}[^>]*>([^]*)</${tag}>`).exec(html)?.[1] ?? ''

  it('loads nothing from outside', () => {
    expect(html).not.toMatch(/\bsrc=|@import|url\(/)
    expect(html.match(/href="[^"]*"/g)).toEqual(['href="data:,"'])
    expect(contentSecurityPolicy).toContain("default-src 'none'")
  })

  it.each(['script', 'style'])('allows by policy exactly its own %s', (tag) => {
    const hash = createHash('sha256').update(content(tag)).digest('base64')
    expect(contentSecurityPolicy).toContain(`${tag}-src 'sha256-${hash}'`)
  })

  it('has a script that parses, all modules in one, and never writes markup', () => {
    expect(() => new Script(content('script'))).not.toThrow()
    expect(content('script')).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write/)
  })
})
