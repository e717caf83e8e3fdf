/** Names as Kubernetes allows them (k8s.io/apimachinery, package validation). */

/** What most objects and all namespaces are called (RFC 1123 label). */
export const DNS_LABEL: RegExp = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
export const DNS_LABEL_RULE = 'at most 63 characters of a-z, 0-9 and -, beginning and ending with a letter or digit'

/** What objects of other kinds may be called, and the prefixes of labels. */
export const DNS_SUBDOMAIN: RegExp = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
export const DNS_SUBDOMAIN_RULE =
  'at most 253 characters of a-z, 0-9, - and ., beginning and ending with a letter or digit'

const LABEL_NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/

/** Whether a text can be the key of a label or annotation: a name of up to 63 characters, with or without `prefix/`. */
export function isQualifiedName(text: string): boolean {
  const slash = text.indexOf('/')
  return LABEL_NAME.test(text.slice(slash + 1)) && (slash < 0 || DNS_SUBDOMAIN.test(text.slice(0, slash)))
}

/** Whether a text can be the value of a label; it may be empty. */
export function isLabelValue(text: string): boolean {
  return text === '' || LABEL_NAME.test(text)
}
