import { ErrorCode } from '../../protocol/error-code.ts'
import { int16, int32, nullableString } from '../../wire/primitives.ts'
import { constant, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'

/** Takes no broker out of the cluster: those it was started with are its brokers, whether they live or not. */
export const unregisterBroker = defineApi('UnregisterBroker', {
  request: struct({ brokerId: int32 }),
  response: struct({ throttleTimeMs: constant(int32, 0), errorCode: int16, errorMessage: nullableString }),
  handle({ brokerId }, { broker }) {
    if (broker.nodes.find(brokerId)) {
      const errorMessage = `Broker ${brokerId} belongs to this cluster for as long as that is there`
      return { errorCode: ErrorCode.INVALID_REQUEST, errorMessage }
    }
    const errorMessage = `Broker ID ${brokerId} is not currently registered`
    return { errorCode: ErrorCode.BROKER_ID_NOT_REGISTERED, errorMessage }
  },
})
