import { Page } from '../shell/page.tsx'

export function GalleryPage() {
  return <Page title="Workflows">{null}</Page>
}
