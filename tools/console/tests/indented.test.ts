import { expect, it } from 'vitest'
import { indented } from '../page/pieces/indented.ts'

it('indents JSON, whatever white space it has', () => {
  expect(indented('{"a": [1,\n "b  \\" c"]}')).toBe('{\n  "a": [\n    1,\n    "b  \\" c"\n  ]\n}')
})

it.each(['{"id":12345678901234567890}', '{"a":1,"a":2}', '{"b":1,"2":1}', '{"a":1.0}', 'text', '1', '{'])(
  'leaves %s as it is',
  (text) => {
    expect(indented(text)).toBeUndefined()
  },
)
