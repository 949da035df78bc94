/** The categories of the templates, in the order of the dialog: names of files in examples/workflows. */
export const categories = {
  'Social media': ['link-preview-card', 'social-card', 'article-card', 'quote-card', 'meme', 'campaign'],
  Products: ['product-square', 'product-cut-out', 'product-scene', 'before-after', 'price-table'],
  Photos: ['avatar-set', 'blurred-frame', 'watermark-set', 'contact-sheet', 'responsive-image'],
  Print: ['poster-with-qr', 'event-ticket', 'certificate', 'invoice'],
  Data: ['chart-card', 'results-table'],
} as const

export type Category = keyof typeof categories
