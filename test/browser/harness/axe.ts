/** Accessibility problems that axe finds. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { waitUntilSettled } from './settled.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  impact: 'minor' | 'moderate' | 'serious' | 'critical' | null
  help: string
  nodes: { target: string[]; failureSummary?: string }[]
}

export interface AxeOptions {
  /** Only the rules that depend on colours. Default: all rules. */
  isOnlyColours?: boolean
}

/** The rules whose result can differ between the light and the dark scheme. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** The serious and critical violations of the current page, as text. */
export async function seriousViolations(page: Page, options: AxeOptions = {}): Promise<string[]> {
  await waitUntilSettled(page)
  // Injected by the debugger, so that the page's policy does not have to allow it.
  if (!(await page.evaluate('window.axe !== undefined'))) await page.evaluate(source)
  const { isOnlyColours = false } = options
  const run = {
    resultTypes: ['violations'],
    ...(isOnlyColours && { runOnly: { type: 'rule', values: colourRules } }),
  }
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(run)}).then((found) => found.violations)`,
  )) as Violation[]
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary = '' }) => `${id}: ${help} (${target.join(' ')}) ${failureSummary}`),
    )
}
