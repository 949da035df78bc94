import { Page } from '../shell/page.tsx'

export function ExecutionPage() {
  return <Page title="Execution">{null}</Page>
}
