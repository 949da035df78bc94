import { atRules, functions, pseudos, units } from '../../src/imaging/html/css-language.ts'
import { shownElements } from '../../src/imaging/html/html-language.ts'
import { propertyGroups, withoutEffect } from '../../src/imaging/html/properties.ts'
import { code, pageHead, table } from './markdown.ts'

/** The HTML and CSS of the operation `html`. */
export function htmlPage(): string {
  const listed = (names: Iterable<string>) => `${[...names].map(code).join(', ')}\n`
  return [
    pageHead('Supported HTML and CSS', 'src/imaging/html/properties.ts, css-language.ts and html-language.ts'),
    'The operation [`html`](operations/html.md) supports these elements, properties, selectors and functions. Everything else is rejected when\nthe workflow is saved, with its line and column. [HTML and CSS](guide/html.md) explains how to use them.\n',
    '## Elements\n',
    listed(shownElements),
    '## Properties\n',
    'The example is the test of the property. `inherit`, `initial`, `unset`, `var()` and variables (`--name`) work everywhere.\n',
    ...propertyGroups.flatMap(({ title, properties }) => [
      `### ${title}\n`,
      table(
        ['Property', 'Example', 'Not supported'],
        Object.entries(properties).map(([name, { use, except = [] }]) => [
          code(name),
          code(use.split(';')[0] ?? ''),
          except.map(code).join(', '),
        ]),
      ),
    ]),
    '### Without effect\n',
    'Accepted, so that pasted style sheets work:\n',
    listed(withoutEffect),
    '## Selectors\n',
    `Elements, classes, ids, attributes, \`*\`, the combinators \`>\`, \`+\`, \`~\` and descendants, nested rules with \`&\`, and ${listed([...pseudos].map((name) => `:${name}`))}`,
    '## Rules\n',
    listed([...atRules].map((name) => `@${name}`)),
    '## Functions\n',
    listed([...functions].map((name) => `${name}()`)),
    '## Units\n',
    listed(['%', ...units]),
  ].join('\n')
}
