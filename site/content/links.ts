/** Rewrites the links of a Markdown text. */

/** Code, which has no links, or an inline link or image. The text of a link can contain code and images. */
const codeOrLink =
  /(`{3,}[\s\S]*?`{3,}|`[^`\n]*`)|(!?)\[((?:[^[\]`]|`[^`\n]*`|!\[[^\]]*\]\([^)\s]*\))*)\]\(([^)\s]+)\)/g

export interface Link {
  /** Markdown between the brackets. */
  text: string
  target: string
  isImage: boolean
}

/** `rewrite` returns the new target. Without a target, the text of the link remains. */
export function rewriteLinks(markdown: string, rewrite: (link: Link) => string | undefined): string {
  return markdown.replaceAll(codeOrLink, (all, code?: string, mark?: string, text = '', target = '') => {
    if (code !== undefined) return all
    const isImage = mark === '!'
    const inner = isImage ? text : rewriteLinks(text, rewrite)
    const rewritten = rewrite({ text, target, isImage })
    return rewritten === undefined ? inner : `${mark}[${inner}](${rewritten})`
  })
}

/** The links and images of a text in their order. */
export function linksOf(markdown: string): Link[] {
  const links: Link[] = []
  rewriteLinks(markdown, (link) => {
    links.push(link)
    return link.target
  })
  return links
}
