import { AsyncLocalStorage } from 'node:async_hooks'
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import { RequestTurns, type RequestTurnsOptions } from './request-turns.ts'

const ends: (() => void)[] = []

/** Ends a turn of the event loop. */
function nextTurn() {
  for (const end of ends.splice(0)) end()
}

describe('the turns of requests', () => {
  beforeEach(() => void ends.splice(0))

  /** Requests by their numbers, and those of them that were begun. */
  function open(handle: RequestListener = () => {}, options: Partial<RequestTurnsOptions> = {}) {
    const begun: number[] = []
    const all: ServerResponse[] = []
    const turns = new RequestTurns({
      handle: (req, res) => {
        begun.push(all.indexOf(res))
        handle(req, res)
      },
      passes: () => false,
      waits: () => {},
      isGone: () => false,
      atEnd: (next) => void ends.push(next),
      ...options,
    })
    const begin = (count: number) => {
      for (let made = 0; made < count; made += 1) {
        const req = new IncomingMessage(new Socket())
        const res = new ServerResponse(req)
        all.push(res)
        turns.begin(req, res)
      }
    }
    return { begun, all, begin }
  }

  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

  it('decisions 3.133: begin sixteen in a turn of the event loop, in their order', () => {
    const { begun, begin } = open()
    begin(40)
    expect(begun).toEqual(numbers(16))
    nextTurn()
    expect(begun).toEqual(numbers(32))
    // Those that come now wait behind those that came before.
    begin(10)
    nextTurn()
    expect(begun).toEqual(numbers(48))
    nextTurn()
    expect(begun).toEqual(numbers(50))
    nextTurn()
    nextTurn()
    expect(ends).toEqual([])
    begin(1)
    expect(begun).toEqual(numbers(51))
  })

  it('do not count those that are answered at once', () => {
    const { begun, begin } = open((_, res) => void res.end())
    begin(100)
    expect(begun).toEqual(numbers(100))
    expect(ends).toEqual([])
  })

  it('take no more than sixteen of those that wait, even if they are answered at once', () => {
    let isEnding = false
    const { begun, begin } = open((_, res) => void (isEnding && res.end()))
    begin(50)
    isEnding = true
    nextTurn()
    expect(begun).toEqual(numbers(32))
  })

  it('let pass what is not to wait', () => {
    const { begun, begin } = open(() => {}, { passes: () => begun.length >= 16 })
    begin(20)
    expect(begun).toEqual(numbers(20))
  })

  it('say who waits, and leave out those who have gone meanwhile', () => {
    const waiting: number[] = []
    const { begun, all, begin } = open(() => {}, {
      waits: (_, res) => void waiting.push(all.indexOf(res)),
      isGone: (_, res) => res === all[16],
    })
    begin(18)
    nextTurn()
    expect(waiting).toEqual([16, 17])
    expect(begun).toEqual([...numbers(16), 17])
  })

  it('end a turn in the context of no request', () => {
    const context = new AsyncLocalStorage<number>()
    const seen: unknown[] = []
    const { begin } = open(() => {}, {
      atEnd: (next) => {
        seen.push(context.getStore())
        ends.push(next)
      },
    })
    context.run(1, () => begin(40))
    context.run(2, nextTurn)
    expect(seen).toEqual([undefined, undefined])
  })

  it('go on after a handler that throws', () => {
    const { begun, all, begin } = open((_, res) => {
      if (res === all[16]) throw new Error('a defect')
    })
    begin(20)
    expect(nextTurn).toThrow('a defect')
    nextTurn()
    expect(begun).toEqual(numbers(20))
  })
})
