import { utimes } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { consolePage } from '../src/bundle/page-files.ts'

const textOf = async (path: string) => Buffer.from((await consolePage(path))?.content ?? []).toString()

describe('files of the page', () => {
  it('are one document, one script and one style sheet, which load nothing from elsewhere', async () => {
    const [html, script, style] = await Promise.all(['/', '/page.js', '/page.css'].map(textOf))
    expect([...(html ?? '').matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address)).toEqual([
      'data:,',
      '/page.css',
      '/page.js',
    ])
    expect(html).not.toMatch(/<style|style=|<script(?![^>]*src=)|\son\w+=/)
    expect(script).not.toMatch(/\bimport\b\s*[{*"'(]|dangerouslySetInnerHTML\s*:/)
    expect(style).not.toMatch(/@import|url\((?!["']?data:)/)
    expect((await consolePage('/'))?.type).toBe('text/html; charset=utf-8')
    expect((await consolePage('/page.js'))?.type).toBe('text/javascript; charset=utf-8')
    expect(await consolePage('/main.tsx')).toBeUndefined()
    expect(await consolePage('/../package.json')).toBeUndefined()
  })

  it('are kept, and made anew after a change', async () => {
    const content = async () => (await consolePage('/page.js'))?.content
    const first = await content()
    expect(await content()).toBe(first)
    const now = new Date()
    await utimes(fileURLToPath(new URL('../page/main.tsx', import.meta.url)), now, now)
    const [second, third] = await Promise.all([content(), content()])
    expect(second).not.toBe(first)
    expect(third).toBe(second)
    expect(second).toEqual(first)
  })
})
