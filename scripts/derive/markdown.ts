/** Markdown in the format of the project. */

/** The head of a derived page: its title, and the source to change. */
export function pageHead(title: string, source: string): string {
  return `# ${title}\n\n<!-- Derived from ${source} by \`npm run derive\`: change it there. -->\n`
}

/** A table with padded columns. */
export function table(names: string[], rows: string[][]): string {
  const cells = [names, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')))
  const widths = names.map((_, i) => Math.max(3, ...cells.map((row) => row[i]?.length ?? 0)))
  const line = (row: string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |\n`
  const [head = names, ...body] = cells
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('')
}

export function code(text: string | number | boolean): string {
  return `\`${text}\``
}

export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`
}

/** `width, height or radius` */
export function either(names: string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** 33554432 as `33,554,432`. */
export function grouped(value: number): string {
  return value.toLocaleString('en-US')
}
