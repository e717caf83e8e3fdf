import type { FieldReader } from './field-reader.ts'

/** Whether labels match. */
export type LabelSelector = (labels: Readonly<Record<string, string>>) => boolean

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const
const MOST_REQUIREMENTS = 100

/** Reads `matchLabels` and `matchExpressions` (Kubernetes' `metav1.LabelSelector`): all must hold, and with none every object matches. */
export function readLabelSelector(reader: FieldReader): LabelSelector {
  const labels = Object.entries(reader.child('matchLabels').stringMap() ?? {})
  const expressions = reader.child('matchExpressions').items()
  if (labels.length + expressions.length > MOST_REQUIREMENTS) {
    reader.problem(`must not have more than ${MOST_REQUIREMENTS} requirements`)
    return () => false
  }
  const requirements = expressions.map(readExpression)
  return (found) => labels.every(([key, value]) => found[key] === value) && requirements.every((isMet) => isMet(found))
}

function readExpression(reader: FieldReader): LabelSelector {
  reader.fields('key', 'operator', 'values').required()
  const key = reader.child('key').required().string() ?? ''
  const operator = reader.child('operator').required().oneOf(OPERATORS)
  const list = reader.child('values')
  const values = new Set(list.items().map(({ value }) => value))
  const hasValues = operator === 'In' || operator === 'NotIn'
  if (operator !== undefined && hasValues !== values.size > 0) {
    list.problem(hasValues ? 'must not be empty' : `must be empty with ${operator}`)
  }
  // Every object inherits a `constructor`, which may be a label's key, too.
  const has: LabelSelector = (labels) => Object.hasOwn(labels, key)
  const isOneOf: LabelSelector = (labels) => has(labels) && values.has(labels[key])
  switch (operator) {
    case 'In':
      return isOneOf
    case 'NotIn':
      return (labels) => !isOneOf(labels)
    case 'Exists':
      return has
    case 'DoesNotExist':
      return (labels) => !has(labels)
    default:
      return () => false
  }
}
