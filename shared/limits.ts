/** Limits that service and console both enforce. src/limits.ts has the others, and a summary of each. */

export const parameterCharsMax = 100_000
/** Maximum of all JSON parameters of a request together. */
export const parameterValuesMax = 50_000
export const fontFamilyCharsMax = 100
export const modelNameCharsMax = 200
export const urlCharsMax = 4_096
/** The same for the body of a request, and for a parameter that is passed as JSON text. */
export const jsonDepthMax = 64
export const issuesMax = 100

/**
 * Work is counted in units of about 0.1 µs (template/cost.ts), memory in units of LiquidJS: about one per character or array item.
 * Rendering delays every other request of the process, so the work of one plan is at most some 20 ms.
 */
export const templateLimits = {
  templatesMax: 2_000,
  templatesCharsMax: 65_536,
  templateCharsMax: 20_000,
  templateOperatorsMax: 100,
  templateUnitsMax: 100_000,
  templatesUnitsMax: 150_000,
  executionTemplateUnitsMax: 2_000_000,
  templateMemoryUnitsMax: 1_000_000,
  templateRenderMsMax: 50,
  templateOutputCharsMax: 200_000,
  templateOutputValuesMax: 5_000,
}
