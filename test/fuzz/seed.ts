/** Bad inputs for each operation. */
export const INPUTS = Number(process.env.FUZZ_INPUTS ?? 15);
/** The same inputs at every run unless told; it stands in the name of the tests. */
export const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
/** For one operation, in ms. */
export const FUZZ_LIMIT = 60_000 + INPUTS * 120;
