/** Markup in which each property of the table makes a visible difference; the property is set on the class `x`. */
import type { Sample } from '../../src/imaging/html/properties.ts'
import type { Card } from './card.ts'

const words = 'The quick brown  fox\tjumps over the lazy dog 1,274 times'

const samples: Record<Sample, { html: string; css: string }> = {
  box: {
    html: '<div class="o"><div class="x"><div class="in"></div></div></div>',
    css: '.o { padding: 15px 30px } .x { width: 40px; height: 30px; background-color: steelblue; color: navy } .in { width: 60px; height: 10px; background: orchid; opacity: .4 }',
  },
  boxes: {
    html: '<div><div class="x"><div>a</div><div>b</div></div><div class="y">c</div></div>',
    css: '.x { background: wheat } .x div { background: steelblue; margin: 2px } .y { background: plum }',
  },
  text: { html: '<div class="x">Office 1,274</div>', css: '.x { font-size: 18px; padding: 10px }' },
  words: { html: `<div class="x">${words}</div>`, css: '.x { width: 120px; font-size: 12px; background: linen }' },
  flex: {
    html: '<div class="x"><i>1</i><i>22</i><i class="tall">3</i></div>',
    css: '.x { display: flex; width: 120px; height: 70px; background: linen } i { background: steelblue; padding: 2px } .tall { font-size: 24px }',
  },
  wrapped: {
    html: '<div class="x"><i>1</i><i>22</i><i>3</i><i>4</i></div>',
    css: '.x { display: flex; width: 100px; height: 80px; background: linen } i { background: steelblue; width: 40px }',
  },
  item: {
    html: '<div class="o"><i>1</i><i class="x">22</i><i>3</i></div>',
    css: '.o { display: flex; width: 120px; height: 60px; background: linen } i { background: steelblue; min-width: 10px } .x { background: plum }',
  },
  grid: {
    html: '<div class="x"><i>1</i><i>22</i><i>3</i></div>',
    css: '.x { display: grid; width: 120px; height: 80px; background: linen; grid-template-columns: 30px 40px; grid-template-rows: 20px } i { background: steelblue }',
  },
  cell: {
    html: '<div class="o"><i>1</i><i class="x">22</i><i>3</i></div>',
    css: '.o { display: grid; width: 120px; height: 80px; background: linen; grid-template-columns: 30px 40px 30px; grid-template-rows: 20px 20px } i { background: steelblue } .x { background: plum }',
  },
  image: { html: '<img class="x" src="node:photo" alt="">', css: '.x { display: block; width: 120px; height: 60px }' },
  table: {
    html: '<table class="x"><caption>Title</caption><tr><td>A</td><td>A longer cell</td></tr><tr><td>1</td><td>2</td></tr></table>',
    css: '.x { font-size: 12px } td { border: 2px solid steelblue }',
  },
  list: {
    html: '<ul class="x"><li>One</li><li>Two</li></ul>',
    css: '.x { width: 100px; background: linen } li { background: wheat }',
  },
  layer: {
    html: '<div class="o"><div class="y"></div><div class="x">x</div></div>',
    css: '.o { position: relative; width: 120px; height: 80px; background: linen; z-index: 0 } .y { width: 60px; height: 40px; background: gold; position: relative } .x { width: 50px; height: 30px; background-color: steelblue }',
  },
  inline: {
    html: '<div class="o">One <span class="x">two three four five</span> six</div>',
    css: '.o { width: 90px; font-size: 14px; line-height: 1.6 }',
  },
  before: {
    html: '<div class="o"><span class="y">text</span></div>',
    css: '.o { font-size: 18px } .y { background: linen }',
  },
}

/** A card without the property if `use` is empty. */
export function sampleCard(sample: Sample, use: string, isImportant = false): Card {
  const { html, css } = samples[sample]
  const selector = sample === 'before' ? '.y::before' : '.x'
  const declarations = isImportant ? use.replace(/^[^;]*/, '$& !important') : use
  const rule = use === '' ? '' : ` ${selector} { ${declarations} }`
  // The rest of the declarations, so that only the property makes the difference.
  return {
    html,
    css: `${css}${rule}`,
    width: 160,
    height: 100,
    images: html.includes('node:') || use.includes('node:') ? ['photo'] : [],
  }
}
