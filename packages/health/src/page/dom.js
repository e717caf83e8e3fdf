/** The element of the page with this id. */
export function byId(/** @type {string} */ id) {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no #${id}`)
  return found
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [className]
 * @param {string} [text] goes in as text, never as markup
 */
export function element(tag, className = '', text = '') {
  const created = document.createElement(tag)
  created.className = className
  created.textContent = text
  return created
}

/**
 * @param {string} tag
 * @param {Readonly<Record<string, string | number>>} attributes
 */
export function svgElement(tag, attributes) {
  const created = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, String(value))
  return created
}

/** Changes only text that differs: a screen reader would read a live region again. */
export function write(/** @type {Element} */ target, /** @type {string} */ text) {
  if (target.textContent !== text) target.textContent = text
}

/** Shows a state by word and, in the style, by sign and colour. */
export function writeStatus(/** @type {HTMLElement} */ target, /** @type {string} */ status) {
  target.dataset['status'] = status
  write(target, status)
}

/** Makes these the children, moving only those that are out of place, so that keyboard focus and opened checks are kept. */
export function place(/** @type {Element} */ parent, /** @type {readonly Element[]} */ children) {
  children.forEach((child, i) => {
    if (parent.children[i] !== child) parent.insertBefore(child, parent.children[i] ?? null)
  })
  while (parent.children.length > children.length) parent.lastElementChild?.remove()
}
