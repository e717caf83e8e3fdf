/** The broker, `namespace/name`, whose events a topic has; undefined for other topics. */
export function brokerOfTopic(topic: string): string | undefined {
  const [, namespace, name] = /^knative-broker\.([^.]+)\.(.+)$/.exec(topic) ?? []
  return namespace === undefined ? undefined : `${namespace}/${name}`
}
