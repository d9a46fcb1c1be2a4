/** The ways of writing numbers that differ in their digits alone. */
export const numberingSystems = Intl.supportedValuesOf('numberingSystem').filter((system) =>
  /^\p{Nd}$/u.test(new Intl.NumberFormat(`en-u-nu-${system}`).format(7)),
)
