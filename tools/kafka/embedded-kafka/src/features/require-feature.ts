import { ErrorCode } from '../protocol/error-code.ts'
import { ProtocolError } from '../protocol/protocol-error.ts'
import type { FeatureName, Features } from './features.ts'

/** @throws {ProtocolError} UNSUPPORTED_VERSION when the cluster has lowered this feature to 0, so that it is not there */
export function requireFeature(features: Features, name: FeatureName): void {
  if (features.levelOf(name) > 0) return
  throw new ProtocolError(ErrorCode.UNSUPPORTED_VERSION, 'The version of API is not supported.')
}
