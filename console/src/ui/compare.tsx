import { ReactCompareSlider, ReactCompareSliderImage } from 'react-compare-slider'
import classes from './compare.module.css'

/** The library crops images with a style of the element, so a class has no effect. */
const entire = { objectFit: 'contain' } as const

/** Two images with a divider that is moved with the pointer or arrow keys. */
export function Compare({ before, after }: { before: string; after: string }) {
  return (
    <ReactCompareSlider
      className={classes.slider}
      itemOne={<ReactCompareSliderImage src={before} alt="Before" style={entire} />}
      itemTwo={<ReactCompareSliderImage src={after} alt="After" style={entire} />}
    />
  )
}
