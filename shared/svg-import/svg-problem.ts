/** Its message is for the owner of the file. */
export class SvgProblem extends Error {}

export const svgImportLimits = { charsMax: 16_777_216, elementsMax: 20_000, depthMax: 100 }
