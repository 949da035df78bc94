/** ECharts as a single file, which has no types. */
declare module 'echarts/dist/echarts.min.js' {
  const charts: typeof import('echarts/core')
  export = charts
}
