import { createDevIssuer, type DevIssuer } from '@taproom/jwt/testing'

/** The issuer of development tokens, whose key pair lies in `folder`, where it is generated the first time. */
export function openDevIssuer(folder: string): Promise<DevIssuer> {
  return createDevIssuer({ folder })
}
