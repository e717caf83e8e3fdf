import * as corrected from '@taproom/kafkajs'
import kafkajs from 'kafkajs'
import { describe, expect, it } from 'vitest'

describe('the exports', () => {
  it('are all that kafkajs has, each by name', () => {
    expect({ ...corrected }).toEqual({ ...kafkajs })
  })
})
