import { createDevIssuer, type DevIssuer } from '@taproom/jwt/testing'

/** The issuer of development tokens. */
export const devIssuerName = 'https://taproom.localhost'

/** The issuer whose key pair lies in `folder`, where it is generated the first time. */
export function openDevIssuer(folder: string): Promise<DevIssuer> {
  return createDevIssuer({ folder, issuer: devIssuerName })
}
