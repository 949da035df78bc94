/** Usage: npm run build. Builds site/dist, the documentation. `npm ci` also runs it (prepare.js). */
import { readContent } from '../site/content/pages.ts'
import { ownFiles } from '../site/content/write.ts'
import { buildWorkspace, root } from './build-workspace.ts'

const { pages, files } = readContent(root)

await buildWorkspace({
  workspace: 'site',
  sources: [...Array.from(pages.values(), ({ source }) => source), ...files.values(), ...ownFiles],
  packages: ['vitepress'],
  brotliQuality: 9,
  async build(vitepress, { folder, out }) {
    const { build } = vitepress as { build(root: string, options: object): Promise<unknown> }
    await build(folder, { outDir: out })
  },
})
