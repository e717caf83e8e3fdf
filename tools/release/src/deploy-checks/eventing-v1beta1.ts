const DELIVERY = String.raw`delivery\.(retry|backoffPolicy|backoffDelay|deadLetterSink\.(uri|ref\..+))`
const REFERENCE = '(apiVersion|kind|name|namespace)'

/**
 * The fields of `eventing.knative.dev/v1beta1` in Knative 0.22, the last to serve it. All of them are in v1, too; the rest of v1 came later
 * (source: knative/eventing v0.22.3, config/core/resources/{broker,trigger}.yaml).
 */
const SERVED: Readonly<Record<string, RegExp>> = {
  Broker: new RegExp(`^spec\\.(config\\.${REFERENCE}|${DELIVERY})$`),
  Trigger: new RegExp(`^spec\\.(broker|filter\\.attributes\\..+|subscriber\\.(uri|ref\\.${REFERENCE})|${DELIVERY})$`),
}

/** Whether a cluster with Knative 0.22 knows a field, such as `spec.broker`, of a v1beta1 object. */
export function isServedByV1beta1(kind: string, field: string): boolean {
  return /^(apiVersion|kind|metadata\..+)$/.test(field) || SERVED[kind]?.test(field) === true
}
