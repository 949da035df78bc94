/** ECharts as a single file, which has no types of its own. */
declare module 'echarts/dist/echarts.min.js' {
  import type * as charts from 'echarts/core'

  const all: typeof charts
  export default all
}
