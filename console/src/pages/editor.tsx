import { Page } from '../shell/page.tsx'

export function EditorPage() {
  return <Page title="Editor">{null}</Page>
}
