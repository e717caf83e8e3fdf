/** What a peer is told, as JSON in its first argument. */
export interface PeerSettings {
  readonly publicKey: string
  readonly issuer: string
}

/** The settings of this process. */
export function peerSettings(): PeerSettings {
  return JSON.parse(process.argv[2] ?? '')
}
