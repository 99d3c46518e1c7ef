// Generates reproducible random numbers: sfc32, the Small Fast Counter of Chris Doty-Humphrey's PractRand.

/** Each stream number seeds a different sequence. The warm-up is the one that the author of sfc32 uses. */
export class RandomNumbers {
  readonly #state: Int32Array

  constructor(stream: number) {
    // The constants are the first digits of pi after the point.
    this.#state = new Int32Array([0x243f6a88, 0x85a308d3, stream, 1])
    for (let round = 0; round < 12; round++) this.next()
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive), in steps of 2^-32. */
  next(): number {
    // Destructuring would take four times as long.
    const state = this.#state
    const a = state[0]!
    const b = state[1]!
    const c = state[2]!
    const counter = state[3]!
    const result = (a + b + counter) | 0
    state[0] = b ^ (b >>> 9)
    state[1] = c + (c << 3)
    state[2] = ((c << 21) | (c >>> 11)) + result
    state[3] = counter + 1
    return (result >>> 0) / 2 ** 32
  }
}
