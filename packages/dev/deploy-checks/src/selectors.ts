export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly {
    readonly key: string
    readonly operator: string
    readonly values?: readonly string[]
  }[]
}

/**
 * Whether labels match a selector; the empty selector matches all.
 *
 * @throws {RangeError} when an operator is none of `In`, `NotIn`, `Exists` and `DoesNotExist`
 */
export function selects(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key]
      if (operator === 'In') return value !== undefined && values.includes(value)
      if (operator === 'NotIn') return value === undefined || !values.includes(value)
      if (operator === 'Exists') return value !== undefined
      if (operator === 'DoesNotExist') return value === undefined
      throw new RangeError(`unknown operator ${operator}`)
    })
  )
}
