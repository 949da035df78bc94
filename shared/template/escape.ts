/** Escapes values of templates, so that they stay values in the text around them. */
export const escapeFunctions = { html: escapeHtml, css: escapeCss }

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for text and quoted attributes of HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char)
}

/**
 * Escapes text for values of CSS: a colour, a length or a function such as `rgb(0 0 0)` stays the same. A character
 * that could end the declaration or the string around it is written as a CSS escape (CSS Syntax 3, 4.3.7).
 */
export function escapeCss(text: string): string {
  const special = isBalanced(text) ? /[;{}<>"'\\!@\n\r\f]|\/(?=\*)/g : /[;{}<>"'\\!@\n\r\f()[\]]|\/(?=\*)/g
  return text.replaceAll(special, (char) => `\\${(char.codePointAt(0) ?? 0).toString(16)} `)
}

function isBalanced(text: string): boolean {
  const open: string[] = []
  for (const [bracket] of text.matchAll(/[()[\]]/g)) {
    if (bracket === '(') open.push(')')
    else if (bracket === '[') open.push(']')
    else if (open.pop() !== bracket) return false
  }
  return open.length === 0
}
