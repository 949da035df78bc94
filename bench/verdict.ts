/** Whether a value meets its target, in a word. */

export type Section = (title: string, rows: string[][]) => void

export function atMost(value: number, goal: number): string {
  return `<= ${goal}: ${value <= goal ? 'met' : 'MISSED'}`
}

export function atLeast(value: number, goal: number): string {
  return `>= ${goal}: ${value >= goal ? 'met' : 'MISSED'}`
}

/** Late memory in a long run divided by early memory. */
const memoryGrowthMax = 1.1

/** Limit of a long run, in MiB. */
export function memoryRow({ early, late, most }: { early: number; late: number; most: number }): string[] {
  const growth = `late by early ${atMost(late / early, memoryGrowthMax)}`
  return ['resident MiB', String(early), String(late), String(most), growth]
}
