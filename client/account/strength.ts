import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })

/** From 0 (guessed instantly) to 4 (strong). */
export function scoreOf(password: string): number {
  return estimator.check(password).score
}
