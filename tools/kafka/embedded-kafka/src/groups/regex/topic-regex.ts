import { ErrorCode } from '../../protocol/error-code.ts'
import { ProtocolError } from '../../protocol/protocol-error.ts'
import type { CharSet } from './char-set.ts'
import { type Node, parseRegex, RegexError } from './parse-regex.ts'

/** A name takes at most its length times this many steps, whatever the expression is. */
const MAX_STEPS = 500
/** Parts that are empty make no steps, but take time to repeat. */
const MAX_PARTS = 10_000
const MAX_CHARACTERS = 1000

/** A step reads a character, or goes on to others without; the last one is the end. */
interface Step {
  readonly of?: CharSet
  readonly at?: 'start' | 'end'
  next: readonly number[]
}

/** Matches whole names by following all ways through an expression at once, so that no expression takes long (Thompson 1968). */
export class TopicRegex {
  readonly #steps: Step[] = []
  #parts = 0

  /**
   * `field` is the one of the request, for the error.
   * @throws {ProtocolError} INVALID_REGULAR_EXPRESSION
   */
  constructor(text: string, field = 'SubscribedTopicRegex') {
    try {
      if (text.length > MAX_CHARACTERS) throw new RegexError('expression is too large')
      this.#add({ next: [] })
      this.#add({ next: [this.#build(parseRegex(text), 0)] })
    } catch (error) {
      if (!(error instanceof RegexError)) throw error
      const message = `${field} \`${text.slice(0, 100)}\` is not a valid regular expression: ${error.message}.`
      throw new ProtocolError(ErrorCode.INVALID_REGULAR_EXPRESSION, message)
    }
  }

  #add(step: Step): number {
    if (this.#steps.length >= MAX_STEPS) throw new RegexError('expression is too large')
    return this.#steps.push(step) - 1
  }

  /** Adds what comes before step `next`; returns the first step. */
  #build(node: Node, next: number): number {
    this.#parts += 1
    if (this.#parts > MAX_PARTS) throw new RegexError('expression is too large')
    switch (node.kind) {
      case 'one':
        return this.#add({ of: node.of, next: [next] })
      case 'start':
      case 'end':
        return this.#add({ at: node.kind, next: [next] })
      case 'all':
        return node.parts.reduceRight((after, part) => this.#build(part, after), next)
      case 'either':
        return this.#add({ next: node.parts.map((part) => this.#build(part, next)) })
      case 'repeat':
        return this.#repeat(node, next)
    }
  }

  #repeat({ part, least, most }: Extract<Node, { readonly kind: 'repeat' }>, next: number): number {
    let first = next
    if (most === Number.POSITIVE_INFINITY) {
      first = this.#add({ next: [next] })
      const loop = this.#steps[first]
      if (loop) loop.next = [next, this.#build(part, first)]
    } else {
      for (let count = least; count < most; count += 1) first = this.#add({ next: [next, this.#build(part, first)] })
    }
    for (let count = 0; count < least; count += 1) first = this.#build(part, first)
    return first
  }

  matches(name: string): boolean {
    let current = this.#reached([this.#steps.length - 1], { isStart: true, isEnd: name === '' })
    for (let index = 0; index < name.length && current.size > 0; index += 1) {
      const code = name.charCodeAt(index)
      const next = [...current].flatMap((step) =>
        this.#steps[step]?.of?.has(code) ? (this.#steps[step]?.next ?? []) : [],
      )
      current = this.#reached(next, { isStart: false, isEnd: index === name.length - 1 })
    }
    return current.has(0)
  }

  /** These steps, and those that follow without a character. */
  #reached(from: readonly number[], { isStart, isEnd }: { readonly isStart: boolean; readonly isEnd: boolean }) {
    const reached = new Set<number>()
    const open = [...from]
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      if (reached.has(step)) continue
      reached.add(step)
      const { of, at, next } = this.#steps[step] ?? { next: [] }
      const isOpen = of === undefined && (at === undefined || (at === 'start' ? isStart : isEnd))
      if (isOpen) open.push(...next)
    }
    return reached
  }
}
