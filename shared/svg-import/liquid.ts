/** Text of a file in a template. */

/** Writes braces of the file so that the template engine draws them. */
export function escapeLiquid(text: string): string {
  return text.replaceAll(/\{(?=[{%])/g, "{{ '{' }}")
}
