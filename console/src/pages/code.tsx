import { Page } from '../shell/page.tsx'

export function CodePage() {
  return <Page title="API">{null}</Page>
}
