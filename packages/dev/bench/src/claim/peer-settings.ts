/** A peer gets them as JSON in its first argument. */
export interface PeerSettings {
  readonly publicKey: string
  readonly issuer: string
}

export function peerSettings(): PeerSettings {
  return JSON.parse(process.argv[2] ?? '')
}
