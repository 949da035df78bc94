import { ReactCompareSlider, ReactCompareSliderImage } from 'react-compare-slider'
import classes from './compare.module.css'

/** Two pictures, one over the other, and a line between them that is drawn by mouse, finger or arrow keys. */
export function Compare({ before, after }: { before: string; after: string }) {
  return (
    <ReactCompareSlider
      className={classes.slider}
      itemOne={<ReactCompareSliderImage src={before} alt="Before" className={classes.image} />}
      itemTwo={<ReactCompareSliderImage src={after} alt="After" className={classes.image} />}
    />
  )
}
