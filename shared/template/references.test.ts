import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Liquid, Variable } from 'liquidjs'
import { parseLiquid } from './language.ts'
import { pathsIn } from './references.ts'

const texts = [
  'Hello',
  '{{ a }} {{ b.c }} {{ b["d e"][0] }} {{ a }}',
  '{{ nodes.photo.width | plus: x | default: y.z, allow_false: w }}',
  '{{ a[b.c[d]].e }} {{ [a.b].c }} {{ "text" }} {{ 1 }} {{ nil }}',
  '{% assign q = a | append: q %}{{ q.r }}{% capture z %}{{ z }}{{ q }}{% endcapture %}{{ z }}',
  '{% for i in list limit: n offset: m.o %}{{ i.x }}{{ forloop.index }}{{ j }}{% else %}{{ i }}{{ e }}{% endfor %}{{ i }}',
  '{% for i in (a..b.c) %}{% for j in i.k %}{{ j }}{{ i }}{% endfor %}{% endfor %}{{ j }}',
  '{% tablerow t in rows cols: c %}{{ t }}{{ tablerowloop.col }}{% endtablerow %}{{ t }}',
  '{% if a and b == c or d contains "x" %}{{ e }}{% elsif f > 1 %}{{ g }}{% else %}{{ h }}{% endif %}',
  '{% unless a %}{{ b }}{% elsif c %}{{ d }}{% endunless %}',
  '{% case a | plus: k %}{% when b, c.d %}{{ e }}{% when "x" or f %}{% else %}{{ g }}{% endcase %}',
  '{% cycle a, b | upcase, "c" %}{% cycle g: 1, 2 %}{% increment n %}{{ n }}{% decrement m %}',
  '{% liquid\nassign s = t\nif s\necho u | append: v\nendif %}{{ s }}',
  '{% echo a.size %}{% comment %}{{ b }}{% endcomment %}{% raw %}{{ c }}{% endraw %}{% # d %}',
  '{{ a | where: "k", v | map: m | where_exp: "x", "x.y == q" }}',
]

for (const text of texts)
  it(`reads the names that LiquidJS finds in ${text}`, () => {
    const liquid = new Liquid()
    const globals = Object.values(liquid.analyzeSync(liquid.parse(text), { partials: false }).globals).flat()
    const liquidPaths = globals.map(({ segments }) => segments.map((each) => (each instanceof Variable ? null : each)))
    const sorted = (paths: unknown[]) => paths.map((path) => JSON.stringify(path)).sort()
    assert.deepEqual(sorted(pathsIn(parseLiquid(text))), sorted(liquidPaths))
  })
