/** The README of the npm package: the page of the guide, whose links have no meaning there. */
import { readFileSync } from 'node:fs'

export function clientReadme(): string {
  const guide = readFileSync(new URL('../../docs/guide/typescript-client.md', import.meta.url), 'utf8')
  const text = guide
    .slice(guide.indexOf('\n'))
    .trimStart()
    .replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1')
  return `# @tintype/client

<!-- Derived from docs/guide/typescript-client.md by \`npm run derive\`: change it there. -->

${text}
## More

A service has its documentation at \`/guide\`, and the reference of its API at \`/docs\`. License: MIT.
`
}
