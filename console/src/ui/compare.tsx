import { ReactCompareSlider, ReactCompareSliderImage } from 'react-compare-slider'
import classes from './compare.module.css'

/** Two images with a divider that is moved with the pointer or arrow keys. */
export function Compare({ before, after }: { before: string; after: string }) {
  return (
    <ReactCompareSlider
      className={classes.slider}
      itemOne={<ReactCompareSliderImage src={before} alt="Before" className={classes.image} />}
      itemTwo={<ReactCompareSliderImage src={after} alt="After" className={classes.image} />}
    />
  )
}
