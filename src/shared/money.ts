/** 1 yuan has 100 fen. Money is stored and compared in whole fen, and sent as yuan. */
const FEN = 100;

/** For an amount of whole fen. */
export function fenOf(yuan: number): number {
  return Math.round(yuan * FEN);
}

/** The number nearest to the amount, which is what its text in yuan means. */
export function yuanOf(fen: number): number {
  return fen / FEN;
}

export function isWholeFen(yuan: number): boolean {
  return yuanOf(fenOf(yuan)) === yuan;
}

const DECIMAL = /^([+-]?)(\d{1,12})(?:\.(\d*))?$/;

/** Reads yuan as fen, half a fen and more as one; null for what is no amount. */
export function parseFen(yuan: string): number | null {
  const [, sign, whole = "", decimals = ""] = DECIMAL.exec(yuan.trim()) ?? [];
  if (whole === "") return null;

  const [tenths = "0", hundredths = "0", next = "0"] = decimals;
  const fen = Number(whole + tenths + hundredths) + (next >= "5" ? 1 : 0);
  return sign === "-" && fen > 0 ? -fen : fen;
}
