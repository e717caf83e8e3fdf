/** Names as Kubernetes allows them (k8s.io/apimachinery, package validation). */

/** RFC 1123 label: names of most objects and all namespaces. */
export const DNS_LABEL: RegExp = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
export const DNS_LABEL_RULE = 'at most 63 characters of a-z, 0-9 and -, beginning and ending with a letter or digit'

/** RFC 1123 subdomain: names of other objects, and prefixes of labels. */
export const DNS_SUBDOMAIN: RegExp = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
export const DNS_SUBDOMAIN_RULE =
  'at most 253 characters of a-z, 0-9, - and ., beginning and ending with a letter or digit'

const LABEL_NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/

/** A valid key of a label or annotation: up to 63 characters, with or without `prefix/`. */
export function isQualifiedName(text: string): boolean {
  const slash = text.indexOf('/')
  return LABEL_NAME.test(text.slice(slash + 1)) && (slash < 0 || DNS_SUBDOMAIN.test(text.slice(0, slash)))
}

/** A valid value of a label; may be empty. */
export function isLabelValue(text: string): boolean {
  return text === '' || LABEL_NAME.test(text)
}
