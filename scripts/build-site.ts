/** Usage: npm run build. Builds site/dist, the documentation. The service also runs it, at the first request of a page (src/app/docs.ts). */
import { readContent } from '../site/content/pages.ts'
import { ownFiles } from '../site/content/write.ts'
import { buildWorkspace, root } from './build-workspace.ts'

const { pages, linked } = readContent(root)

await buildWorkspace({
  workspace: 'site',
  sources: [...Array.from(pages.values(), ({ source }) => source), ...linked, ...ownFiles],
  packages: ['vitepress'],
  async build(vitepress, { folder, out }) {
    const { build } = vitepress as { build(root: string, options: object): Promise<unknown> }
    await build(folder, { outDir: out })
  },
})
