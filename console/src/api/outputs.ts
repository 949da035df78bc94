/** The outputs of an execution, as pages show them. */
import type { Execution, Schemas } from './types.ts'

export type ShownOutput = NonNullable<Execution['output']> & Partial<Schemas['NamedOutput']>

/** The primary output first; only it has no `name`. */
export function outputsOf({ output, outputs = [] }: Pick<Execution, 'output' | 'outputs'>): ShownOutput[] {
  return output === undefined ? [] : [output, ...outputs]
}

/** The value of a tab, which is a part of an id of the page. A name has no `$`. */
export function keyOf({ name }: ShownOutput): string {
  return name ?? '$output'
}

/** The name of an output in lists. */
export function titleOf({ name }: ShownOutput): string {
  return name ?? 'Output'
}

/** The HTML of a set: browsers choose the format and the width. */
export function pictureHtml({ url, width, height, files = [], srcset = {}, color }: ShownOutput): string {
  const formats = [...new Set(files.map(({ format }) => format))]
  const last = formats.at(-1) ?? ''
  const sources = formats
    .slice(0, -1)
    .map((format) => `  <source type="image/${format}" srcset="${srcset[format]}" sizes="100vw" />\n`)
  const background = color === undefined ? '' : ` style="background: ${color}"`
  const image = `  <img src="${url}" srcset="${srcset[last]}" sizes="100vw" width="${width}" height="${height}" alt=""${background} />\n`
  return `<picture>\n${sources.join('')}${image}</picture>\n`
}
