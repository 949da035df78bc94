/** A measure to what is worth reading in a template: four decimals. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
