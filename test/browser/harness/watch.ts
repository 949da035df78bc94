/** Problems that fail any visit: errors, policy violations, requests to other origins. */
import type { BrowserContext, ConsoleMessage, Page } from 'playwright-core'

/** All problems so far, as text. */
export async function watch(context: BrowserContext, origin: string, expected: readonly RegExp[]): Promise<string[]> {
  const problems: string[] = []
  const report = (text: string) => {
    if (!expected.some((pattern) => pattern.test(text))) problems.push(text)
  }
  await context.exposeBinding('reportViolation', (_, text: string) => report(text))
  // A string, because it runs in the page, which has other types.
  await context.addInitScript(
    `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
      reportViolation('violates ' + violatedDirective + ': ' + blockedURI + ' at ' + sourceFile + ':' + lineNumber))`,
  )
  // Most tests visit with reduced motion. A transition that runs nevertheless makes measurements depend on timing.
  await context.addInitScript(
    `if (matchMedia('(prefers-reduced-motion: reduce)').matches)
      document.addEventListener('transitionrun', ({ target, propertyName }) =>
        reportViolation('moves despite reduced motion: ' + propertyName + ' of ' + target.outerHTML.slice(0, 120)))`,
  )
  context.on('page', (page) => watchPage(page, origin, report))
  return problems
}

function watchPage(page: Page, origin: string, report: (text: string) => void): void {
  page.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message, origin)) report(`console.error: ${message.text()}`)
  })
  page.on('pageerror', (error) => report(`page error: ${error.stack ?? error.message}`))
  page.on('crash', () => report('the page crashed'))
  page.on('request', (request) => {
    const { protocol, origin: requestedOrigin } = new URL(request.url())
    if (requestedOrigin !== origin && !['data:', 'blob:', 'about:'].includes(protocol))
      report(`request to another origin: ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 500) report(`is answered ${response.status()}: ${response.url()}`)
    else if (response.status() >= 400 && !isOfApi(response.url(), origin)) report(`finds nothing: ${response.url()}`)
  })
}

/** Chromium logs each 4xx response as an error. For the API they are normal responses. */
function isRefusal(message: ConsoleMessage, origin: string): boolean {
  return /^Failed to load resource/.test(message.text()) && isOfApi(message.location().url, origin)
}

function isOfApi(url: string, origin: string): boolean {
  return url.startsWith(`${origin}/v1/`)
}
