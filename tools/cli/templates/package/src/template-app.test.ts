import { describe, expect, it } from 'vitest'
import { templateApp } from './index.ts'

describe('templateApp', () => {
  it('greets by name', () => {
    expect(templateApp('duke')).toBe('Hello, duke')
  })

  it('refuses an empty name', () => {
    expect(() => templateApp('')).toThrow(RangeError)
  })
})
