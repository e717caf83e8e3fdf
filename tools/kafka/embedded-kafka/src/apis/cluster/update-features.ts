import { ErrorCode } from '../../protocol/error-code.ts'
import { actionOutcome } from '../../protocol/protocol-error.ts'
import { array, bool, int8, int16, int32, nullableString, string } from '../../wire/primitives.ts'
import { between, constant, since, struct } from '../../wire/struct.ts'
import { defineApi } from '../definition/api.ts'

/** Since this version there is one answer for all features together (KIP-1022). */
const ONE_ANSWER_VERSION = 2
const UPGRADE = 1
const SAFE_DOWNGRADE = 2
const FOR_ALL = 'The update failed for all features since the following feature had an error: '

/** Raises and lowers the levels of features, all or none (KIP-584). */
export const updateFeatures = defineApi('UpdateFeatures', {
  request: struct({
    timeoutMs: int32,
    featureUpdates: array(
      struct({
        feature: string,
        maxVersionLevel: int16,
        allowDowngrade: between(0, 0, bool, false),
        upgradeType: since(1, int8, UPGRADE),
      }),
    ),
    validateOnly: since(1, bool, false),
  }),
  response: struct({
    throttleTimeMs: constant(int32, 0),
    errorCode: int16,
    errorMessage: nullableString,
    results: between(
      0,
      ONE_ANSWER_VERSION - 1,
      array(struct({ feature: string, errorCode: int16, errorMessage: nullableString })),
      [],
    ),
  }),
  handle({ featureUpdates, validateOnly }, { broker, version }) {
    const updates = featureUpdates.map(({ feature, maxVersionLevel: level, allowDowngrade, upgradeType }) => ({
      feature,
      level,
      upgradeType: allowDowngrade ? SAFE_DOWNGRADE : upgradeType,
    }))
    const { errorCode, errorMessage } = actionOutcome(() => broker.features.update(updates, { validateOnly }))
    if (version < ONE_ANSWER_VERSION) {
      const results = featureUpdates.map(({ feature }) => ({ feature, errorCode, errorMessage }))
      return { errorCode: ErrorCode.NONE, errorMessage: null, results }
    }
    return { errorCode, errorMessage: errorMessage === null ? null : `${FOR_ALL}${errorMessage}`, results: [] }
  },
})
