import type { ErrorCode } from '../protocol/error-code.ts'
import { type Fields, fieldsOf, mapParts } from './message-fields.ts'

/** The topic that an error is for, and its partition; undefined: all partitions. */
export interface ErrorPlace {
  readonly topic: string
  readonly topicId: string | undefined
  readonly partition: number | undefined
}

type SetError = (part: Fields) => Fields

/** APIs whose own error is of their session: clients look for the others in the partitions. */
const SESSION_APIS = ['Fetch', 'ShareFetch', 'ShareAcknowledge']

const hasError = (part: Fields): boolean => typeof part['errorCode'] === 'number'

function setAll(value: unknown, set: SetError): unknown {
  const changed = mapParts(value, (part) => setAll(part, set))
  const fields = fieldsOf(changed)
  return fields && hasError(fields) ? set(fields) : changed
}

function setInPartition(topic: unknown, partition: number, set: SetError): unknown {
  return mapParts(topic, (part) => {
    const fields = fieldsOf(part)
    if (!fields) return setInPartition(part, partition, set)
    return (fields['index'] ?? fields['partitionIndex']) === partition ? setAll(fields, set) : part
  })
}

function setInTopic(value: unknown, place: ErrorPlace, set: SetError): unknown {
  const fields = fieldsOf(value)
  const isById = place.topicId !== undefined && fields?.['topicId'] === place.topicId
  if (!isById && fields?.['name'] !== place.topic) return mapParts(value, (part) => setInTopic(part, place, set))
  return place.partition === undefined ? setAll(value, set) : setInPartition(value, place.partition, set)
}

function replaced(errorCode: ErrorCode): SetError {
  return (part) => ({ ...part, errorCode, ...('errorMessage' in part && { errorMessage: null }) })
}

/** An answer of work that was done, with an error in it: for one place where it has that, else everywhere. */
export function withError(api: string, answer: unknown, errorCode: ErrorCode, place?: ErrorPlace): unknown {
  const set = replaced(errorCode)
  const placed = place ? setInTopic(answer, place, set) : answer
  if (placed !== answer) return placed
  const fields = fieldsOf(answer)
  if (!fields || !SESSION_APIS.includes(api)) return setAll(answer, set)
  const topics = setAll(fields['topics'], set)
  return topics === fields['topics'] ? setAll(answer, set) : { ...fields, topics }
}

/** The refusal of a request, with another error in it. */
export function withOtherError(refusal: unknown, errorCode: ErrorCode): unknown {
  const set = replaced(errorCode)
  const other = setAll(refusal, (part) => (part['errorCode'] === 0 ? part : set(part)))
  return other === refusal ? setAll(refusal, set) : other
}
