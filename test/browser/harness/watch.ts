/** What must happen on no page: errors, violations of its policy, requests to anybody else. */
import type { BrowserContext, ConsoleMessage, Page } from 'playwright-core'

/** Everything that was wrong so far, in words. */
export async function watch(context: BrowserContext, origin: string, expected: readonly RegExp[]): Promise<string[]> {
  const problems: string[] = []
  const tell = (text: string) => {
    if (!expected.some((pattern) => pattern.test(text))) problems.push(text)
  }
  await context.exposeBinding('tellViolation', (_, text: string) => tell(text))
  // As a string: it runs in the page, of which the types here know nothing.
  await context.addInitScript(
    `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
      tellViolation('violates ' + violatedDirective + ': ' + blockedURI + ' at ' + sourceFile + ':' + lineNumber))`,
  )
  // Most tests visit with reduced motion. A transition that runs nevertheless makes measurements depend on timing.
  await context.addInitScript(
    `if (matchMedia('(prefers-reduced-motion: reduce)').matches)
      document.addEventListener('transitionrun', ({ target, propertyName }) =>
        tellViolation('moves despite reduced motion: ' + propertyName + ' of ' + target.outerHTML.slice(0, 120)))`,
  )
  context.on('page', (page) => watchPage(page, origin, tell))
  return problems
}

function watchPage(page: Page, origin: string, tell: (text: string) => void): void {
  page.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message, origin)) tell(`console.error: ${message.text()}`)
  })
  page.on('pageerror', (error) => tell(`page error: ${error.stack ?? error.message}`))
  page.on('crash', () => tell('the page crashed'))
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    if (asked !== origin && !['data:', 'blob:', 'about:'].includes(protocol)) tell(`asks elsewhere: ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 500) tell(`is answered ${response.status()}: ${response.url()}`)
    else if (response.status() >= 400 && !isOfApi(response.url(), origin)) tell(`finds nothing: ${response.url()}`)
  })
}

/** Chromium tells of each 4xx as an error; of the API they are answers. */
function isRefusal(message: ConsoleMessage, origin: string): boolean {
  return /^Failed to load resource/.test(message.text()) && isOfApi(message.location().url, origin)
}

function isOfApi(url: string, origin: string): boolean {
  return url.startsWith(`${origin}/v1/`)
}
