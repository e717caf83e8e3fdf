import { describe, expect, it } from 'vitest'
import { Ledger } from './ledger.ts'

function makeLedger(type: string) {
  const ledger = new Ledger()
  ledger.offer('1', type)
  ledger.accept('1')
  return ledger
}

describe('ledger', () => {
  it('is content once every place that wants an accepted event has it, duplicates counted', () => {
    const ledger = makeLedger('greeting')
    for (const place of ['aloha', 'bonjour', 'all', 'all'] as const) ledger.arrive(place, '1')
    expect(ledger).toMatchObject({ missing: 0, problems: [] })
    expect(ledger.figures).toEqual({ accepted: 1, offered: 1, delivered: 3, duplicates: 1 })
  })

  it('names an accepted event that did not reach a place', () => {
    const ledger = makeLedger('greeting')
    ledger.arrive('aloha', '1')
    ledger.arrive('all', '1')
    expect(ledger.missing).toBe(1)
    expect(ledger.problems).toEqual(['1 (greeting) was accepted and never reached bonjour'])
  })

  it('names a delivery that was not asked for', () => {
    const ledger = makeLedger('unwanted')
    ledger.arrive('all', '1')
    ledger.arrive('letters', '1')
    expect(ledger.problems).toEqual(['1 was delivered to letters, which did not ask for it'])
  })

  it('does not miss an event that was only offered, and takes one that arrives before its answer', () => {
    const ledger = new Ledger()
    ledger.offer('1', 'unwanted')
    ledger.offer('2', 'unwanted')
    ledger.arrive('all', '2')
    ledger.accept('2')
    expect(ledger).toMatchObject({ missing: 0, problems: [], accepted: 1 })
  })
})
