import { describe, expect, it } from 'vitest'
import { reportLicenses } from './licenses.ts'

const component = (name: string, ...ids: string[]) => ({
  name,
  version: '1.0.0',
  licenses: ids.map((id) => ({ license: { id } })),
})

describe('reportLicenses', () => {
  it('lists components by licence', () => {
    const report = reportLicenses({ components: [component('a', 'MIT'), component('b', 'ISC'), component('c', 'MIT')] })
    expect(Object.fromEntries(report.byLicense)).toEqual({ MIT: ['a@1.0.0', 'c@1.0.0'], ISC: ['b@1.0.0'] })
    expect(report.refused).toEqual([])
  })

  it.each([
    ['a licence that asks for more', component('a', 'AGPL-3.0-only'), 'a@1.0.0: AGPL-3.0-only'],
    ['one allowed and one not', component('a', 'MIT', 'GPL-2.0-only'), 'a@1.0.0: GPL-2.0-only'],
    ['no licence at all', { name: 'a', version: '1.0.0' }, 'a@1.0.0: no licence'],
    ['a name that is no SPDX id', { name: 'a', licenses: [{ license: { name: 'Custom' } }] }, 'a@: Custom'],
    ['an expression', { name: 'a', licenses: [{ expression: 'MIT OR GPL-2.0' }] }, 'a@: MIT OR GPL-2.0'],
  ])('refuses %s', (_, refused, problem) => {
    expect(reportLicenses({ components: [component('b', 'MIT'), refused] }).refused).toEqual([problem])
  })
})
