/** A request of OTLP that cannot be taken; its message is for the sender. */
export class OtlpError extends Error {
  override readonly name = 'OtlpError'
  readonly code: 'OTLP_INVALID' | 'OTLP_TOO_LARGE' | 'OTLP_BUSY'

  constructor(code: OtlpError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
