import { describe, expect, it } from 'vitest'
import { withoutRegions, withRegions } from './regions.ts'

const text = ['own: 1', 'list:', '  # generated: apps', '  - old', '  # end of generated', '- own', ''].join('\n')

describe('withRegions', () => {
  it('replaces what lies in a region, indented as its first comment, and keeps the rest', () => {
    expect(withRegions('a.yaml', text, { apps: ['- new\n  more: 1', '', '- last'] })).toBe(
      text.replace('  - old', '  - new\n    more: 1\n\n  - last'),
    )
  })

  it('knows the comments of Markdown', () => {
    const page = '<!-- generated: apps -->\nold\n<!-- end of generated -->\n'
    expect(withRegions('README.md', page, { apps: ['new'] })).toBe(page.replace('old', 'new'))
  })

  it.each([
    ['lacks it', text.replace('generated: apps', 'generated: other')],
    ['has no end of it', text.replace('# end of generated', '# the end')],
    ['ends it before it begins', '# end of generated\n# generated: apps\n'],
  ])('refuses a file that %s', (_, broken) => {
    expect(() => withRegions('a.yaml', broken, { apps: [] })).toThrow(
      new RangeError('a.yaml: there is no region "generated: apps" with an end'),
    )
  })
})

describe('withoutRegions', () => {
  it('leaves what people wrote, each line where it was', () => {
    expect(withoutRegions(text)).toBe(text.replace('  - old', ''))
  })
})
