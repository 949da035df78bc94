/** Whether a value is what is aimed at, in a word. */

export type Section = (title: string, rows: string[][]) => void

export function atMost(value: number, goal: number): string {
  return `<= ${goal}: ${value <= goal ? 'met' : 'MISSED'}`
}

export function atLeast(value: number, goal: number): string {
  return `>= ${goal}: ${value >= goal ? 'met' : 'MISSED'}`
}

/** Memory late in a long run by that early in it. */
const memoryGrowthMax = 1.1

/** Of a long run, in MiB. */
export function memoryRow({ early, late, most }: { early: number; late: number; most: number }): string[] {
  const growth = `late by early ${atMost(late / early, memoryGrowthMax)}`
  return ['resident MiB', String(early), String(late), String(most), growth]
}
