/** An HTML page that shows images side by side. It is one file without external resources. */

export interface ReportCase {
  name: string
  outcome: string
  tone: 'good' | 'bad' | 'new'
  /** Words and figures: sizes, what differs. */
  facts: string[]
  images: ReportImage[]
}

export interface ReportImage {
  label: string
  mediaType: string
  bytes: Buffer
}

export function reportHtml(title: string, summary: string, cases: ReportCase[]): string {
  // Differences come first.
  const sorted = [...cases].sort((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone))
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
<header><h1>${escaped(title)}</h1><p>${escaped(summary)}</p></header>
<main>
${sorted.map(section).join('\n')}
</main>
</html>
`
}

const order = ['bad', 'new', 'good']

function section({ name, outcome, tone, facts, images }: ReportCase): string {
  const figures = images.map(
    ({ label, mediaType, bytes }) =>
      `<figure><figcaption>${escaped(label)}</figcaption><img loading="lazy" alt="${escaped(`${label}: ${name}`)}" src="data:${mediaType};base64,${bytes.toString('base64')}"></figure>`,
  )
  return `<details class="${tone}"${tone === 'good' ? '' : ' open'}>
<summary><span class="outcome">${escaped(outcome)}</span><span class="name">${escaped(name)}</span></summary>
${facts.length > 0 ? `<ul>${facts.map((fact) => `<li>${escaped(fact)}</li>`).join('')}</ul>` : ''}
<div class="pictures">${figures.join('\n')}</div>
</details>`
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (found) => entities[found] ?? found)
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const style = `
:root { color-scheme: light dark; --page: #f6f6f4; --card: #fff; --text: #1c1c1a; --quiet: #6b6b66; --line: #dededa;
  --bad: #b3261e; --good: #2e7d4f; --new: #1f5fa8; --light: #fff; --dark: #e4e4e0 }
@media (prefers-color-scheme: dark) { :root { --page: #161614; --card: #20201d; --text: #ececea; --quiet: #9a9a94;
  --line: #34342f; --bad: #f2867f; --good: #7cc79a; --new: #86b8f2; --light: #3a3a36; --dark: #2c2c29 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif }
header, main { max-width: 1400px; margin: 0 auto; padding: 0 24px }
header { padding-top: 32px }
h1 { margin: 0; font-size: 22px; font-weight: 600 }
header p { margin: 4px 0 24px; color: var(--quiet) }
details { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin-bottom: 12px; padding: 0 16px }
summary { display: flex; gap: 12px; align-items: baseline; padding: 12px 0; cursor: pointer; list-style: none }
summary::-webkit-details-marker { display: none }
.name { font-weight: 600; overflow-wrap: anywhere }
.outcome { min-width: 76px; font-variant-numeric: tabular-nums }
.bad .outcome { color: var(--bad) } .good .outcome { color: var(--good) } .new .outcome { color: var(--new) }
ul { margin: 0 0 12px; padding: 0; list-style: none; color: var(--quiet) }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr)); gap: 16px; padding-bottom: 16px }
figure { margin: 0 }
figcaption { color: var(--quiet); font-size: 13px; margin-bottom: 4px }
img { display: block; max-width: 100%; height: auto; border: 1px solid var(--line);
  background: repeating-conic-gradient(var(--light) 0 25%, var(--dark) 0 50%) 0 0 / 20px 20px }
`
