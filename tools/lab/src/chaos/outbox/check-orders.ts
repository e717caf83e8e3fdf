import type { LogRecord } from '../topic-log.ts'

/** An order as the database has it. */
export interface OrderRow {
  readonly id: string
  readonly customer: string
  /** 1, 2, 3, … for the orders of a customer, in the order of their transactions. */
  readonly number: number
}

export interface OrdersHistory {
  /** Ids of which a customer knows that they were committed. */
  readonly committed: ReadonlySet<string>
  /** Ids of which a customer knows that they were rolled back. */
  readonly rolledBack: ReadonlySet<string>
  readonly rows: readonly OrderRow[]
  /** All that a read_committed reader sees, in the order of each partition. */
  readonly messages: readonly LogRecord[]
}

const SHOWN = 5

/** Compares the answers of a shop, its rows and its messages: each committed order has one message, in the order of its customer. */
export function checkOrders({ committed, rolledBack, rows, messages }: OrdersHistory) {
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  const seen = new Set<string>()
  const lastOf = new Map<string, number>()
  const problems = {
    'committed orders without a row': [...committed].filter((id) => !rowOf.has(id)),
    'rolled-back orders with a row': [...rolledBack].filter((id) => rowOf.has(id)),
    missing: [] as string[],
    duplicates: [] as string[],
    'messages of rolled-back orders': [] as string[],
    'messages of no order': [] as string[],
    'order violations': [] as string[],
  }
  for (const { key, value } of messages) {
    const { id, number } = JSON.parse(value) as Pick<OrderRow, 'id' | 'number'>
    const row = rowOf.get(id)
    if (rolledBack.has(id)) problems['messages of rolled-back orders'].push(id)
    else if (row?.customer !== key || row.number !== number) problems['messages of no order'].push(id)
    else if (seen.has(id)) problems.duplicates.push(id)
    else {
      seen.add(id)
      if (number < (lastOf.get(key) ?? 0)) problems['order violations'].push(id)
      lastOf.set(key, number)
    }
  }
  problems.missing.push(...rows.map(({ id }) => id).filter((id) => !seen.has(id)))
  const kinds = Object.entries(problems)
  return {
    figures: Object.fromEntries(kinds.map(([kind, ids]) => [kind, ids.length])),
    findings: kinds.flatMap(([kind, ids]) =>
      ids.length === 0 ? [] : [`${kind}: ${ids.length}, such as ${ids.slice(0, SHOWN).join(', ')}`],
    ),
  }
}
