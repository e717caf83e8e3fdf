export { createDevIssuer, type DevClaims, type DevIssuer } from './dev-issuer.ts'
