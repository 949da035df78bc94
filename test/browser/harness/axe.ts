/** What axe finds wrong for people who cannot see, or cannot use a mouse. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { isSettled } from './settled.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  impact: 'minor' | 'moderate' | 'serious' | 'critical' | null
  help: string
  nodes: { target: string[]; failureSummary?: string }[]
}

/** The serious and critical ones of the page as it stands, in words. `within`: a selector, for a part of it. */
export async function seriousViolations(page: Page, within = ':root'): Promise<string[]> {
  await isSettled(page)
  // Handed over by the debugger, so that the page's policy need not allow it.
  await page.evaluate(`if (!window.axe) { ${source} }`)
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(within)}, { resultTypes: ['violations'] }).then((found) => found.violations)`,
  )) as Violation[]
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary = '' }) => `${id}: ${help} (${target.join(' ')}) ${failureSummary}`),
    )
}
