/**
 * The fields of `eventing.knative.dev/v1beta1` that Knative 0.22, the last to serve triggers and brokers so, has in common with v1: the
 * rest of v1 came later (source: knative/eventing, config/core/resources/{broker,trigger}.yaml of that release).
 */
const SERVED: Readonly<Record<string, RegExp>> = {
  Broker: /^spec\.config\.(apiVersion|kind|name|namespace)$/,
  Trigger: /^spec\.(broker|filter\.attributes\..+|subscriber\.(uri|ref\.(apiVersion|kind|name|namespace)))$/,
}

/** Whether a cluster with Knative 0.22 knows a field, such as `spec.broker`, of a v1beta1 object. */
export function isServedByV1beta1(kind: string, field: string): boolean {
  return /^(apiVersion|kind|metadata\..+)$/.test(field) || SERVED[kind]?.test(field) === true
}
