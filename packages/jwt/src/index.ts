export {
  type ClaimedIdentity,
  InvalidTokenError,
  JwtConfigError,
  JwtError,
  REFUSALS,
  type RefusalReason,
  TokenCheckError,
  VerifierBusyError,
} from './errors.ts'
export {
  type AuthenticateOptions,
  authenticate,
  callerOf,
  requireAudience,
  requireRole,
  requireScope,
} from './express/authenticate.ts'
export type { Refusal } from './express/refuse.ts'
export { ALGORITHMS, type JwtAlgorithm } from './keys/algorithms.ts'
export type { DecryptionAlgorithm } from './keys/decryption-keys.ts'
export type { JwtLogger } from './keys/refreshed-keys.ts'
export { type JwtDefaults, type JwtProperties, readJwt } from './properties/jwt-properties.ts'
export type { PropertyReader } from './properties/property-reader.ts'
export { type Caller, hasRole, type JwtClaims } from './token/claims.ts'
export type { IntrospectionOptions } from './verifier/ask-introspection.ts'
export { createJwtVerifier, type JwtVerifier } from './verifier/verifier.ts'
export type { IssuerOptions, JwtVerifierOptions } from './verifier/verifier-options.ts'
