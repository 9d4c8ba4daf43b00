import { type Priced, useMoney, usePrice } from './money.ts'
import classes from './Price.module.css'

type PriceProps = { of: Priced; size?: 'large' | 'medium' }

/**
 * A price: the amount in large digits, then the interval and the tax. Languages that begin with other words show one
 * size.
 */
export function Price({ of: priced, size = 'medium' }: PriceProps) {
  const whole = usePrice()(priced)
  const plain = useMoney()(priced.amount, priced.currency)
  return (
    <p className={classes.price} data-size={size}>
      {whole.startsWith(plain) ? (
        <>
          {plain} <small>{whole.slice(plain.length).replace(/^[\s,]+/, '')}</small>
        </>
      ) : (
        whole
      )}
    </p>
  )
}
