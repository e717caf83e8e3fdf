import { describe, expect, it } from 'vitest'
import { isAway, isBusy, isOutage } from './outage.ts'

const withCode = (code: string) => Object.assign(new Error('of a driver'), { code })

describe('an outage', () => {
  it.each([
    ...['ECONNREFUSED', 'ECONNRESET', 'EAI_AGAIN', '08006', '53300', '57P01', '57P03', '28P01', '3D000'],
    ...['SQLITE_CANTOPEN', 'SQLITE_IOERR_WRITE', 'SQLITE_CORRUPT', 'SQLITE_FULL', 'SQLITE_NOTADB'],
  ])('is %s', (code) => {
    expect(isOutage(withCode(code))).toBe(true)
  })

  it.each([
    ...['23505', '42P01', '40001', '40P01', '57014', '22P02', '55P03'],
    ...['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_ERROR', 'SQLITE_READONLY'],
  ])('is not %s', (code) => {
    expect(isOutage(withCode(code))).toBe(false)
  })

  it.each(['Connection terminated unexpectedly', 'select 1 - Connection terminated', 'timeout expired', 'aborted'])(
    'is "%s" without a code',
    (message) => {
      expect(isOutage(new Error(message))).toBe(true)
    },
  )

  it.each([new Error('the timeout of a caller'), undefined, null, 'aborted', new RangeError('of the caller')])(
    'is not what a caller throws: %s',
    (error) => {
      expect([isOutage(error), isAway(error), isBusy(error)]).toEqual([false, false, false])
    },
  )

  it.each(['select 1 - Query read timeout', 'Query read timeout'])('that leaves the pool as it is: "%s"', (message) => {
    expect([isOutage(new Error(message)), isBusy(new Error(message))]).toEqual([true, true])
  })

  it('is not one that waiting ends where a login is refused or a file is broken', () => {
    expect(['28P01', 'SQLITE_NOTADB'].map((code) => isAway(withCode(code)))).toEqual([false, false])
  })
})
