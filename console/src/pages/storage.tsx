import { Page } from '../shell/page.tsx'

export function StoragePage() {
  return <Page title="Storage">{null}</Page>
}
