/** A text of a need with the name of the app in place of `{app}`. */
export function ofApp(text: string, app: string): string {
  return text.replaceAll('{app}', app)
}
