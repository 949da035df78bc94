import { useData, withBase } from 'vitepress'
import theme from 'vitepress/theme'
import { h } from 'vue'
import './style.css'

function MarkdownLink() {
  const { page } = useData()
  return h('p', { class: 'markdown-link' }, [
    h('a', { href: withBase(`/${page.value.relativePath}`), target: '_self' }, 'View this page as Markdown'),
  ])
}

// biome-ignore lint/style/noDefaultExport: VitePress requires it.
export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'doc-footer-before': () => h(MarkdownLink) }),
}
